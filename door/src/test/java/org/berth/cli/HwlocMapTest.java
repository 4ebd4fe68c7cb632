package org.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.reflect.Executable;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The table docs/java/hwloc-map.md: complete, and every Java method in it is there, public, and says whose work it does. */
final class HwlocMapTest {
    private static final Path TOP = Path.of("..").toAbsolutePath().normalize();
    private static final Pattern ROW = Pattern.compile("^\\| (hwloc_\\w+) \\| (.*?) \\| ?(.*?) ?\\|$");
    private static final Pattern METHOD = Pattern.compile("`([\\w.]+)\\.(\\w+)\\((.*?)\\)`");
    private static final Pattern DECLARED =
            Pattern.compile("(?:HWLOC_DECLSPEC|static __hwloc_inline)[^;{]*?\\b(hwloc_\\w+)\\s*\\(");

    /** A comment and the method below it. */
    private static final Pattern DOCUMENTED = Pattern.compile(
            "/\\*\\*((?:(?!\\*/).)*)\\*/\\s*(?:@\\w+(?:\\([^)]*\\))?\\s+)*[^;{}()=]*?\\b(\\w+)\\s*\\(", Pattern.DOTALL);

    private record Row(String function, String methods, String remark) {}

    private static List<Row> rows() throws IOException {
        try (Stream<String> lines = Files.lines(TOP.resolve("docs/java/hwloc-map.md"))) {
            return lines.map(ROW::matcher)
                    .filter(Matcher::matches)
                    .map(row -> new Row(row.group(1), row.group(2), row.group(3)))
                    .toList();
        }
    }

    @Test
    void everyFunctionOfItsHeadersStandsInItOnce() throws IOException {
        List<String> functions = rows().stream().map(Row::function).toList();
        assertThat(functions).doesNotHaveDuplicates();
        Path include = Path.of("/usr/include");
        assumeTrue(Files.exists(include.resolve("hwloc.h")), "the headers of hwloc (libhwloc-dev) are not installed");
        Set<String> declared = new TreeSet<>();
        for (String header : headers()) {
            String text = Files.readString(include.resolve(header)).replaceAll("(?s)/\\*.*?\\*/", "");
            DECLARED.matcher(text.replaceAll("(?m)^#.*$", "")).results().forEach(found -> declared.add(found.group(1)));
        }
        assertThat(declared).isNotEmpty();
        assertThat(functions).containsExactlyInAnyOrderElementsOf(declared);
    }

    private static List<String> headers() throws IOException {
        try (Stream<String> lines = Files.lines(TOP.resolve("docs/java/hwloc-map.md"))) {
            return lines.filter(line -> line.startsWith("## "))
                    .map(line -> line.substring(3))
                    .toList();
        }
    }

    /** jhwloc, the binding of hwloc for Java before, has 102. */
    @Test
    void atLeast200FunctionsHaveAMethod() throws IOException {
        assertThat(rows()).hasSizeGreaterThan(220);
        assertThat(rows().stream().filter(row -> METHOD.matcher(row.methods).find()))
                .hasSizeGreaterThanOrEqualTo(200);
    }

    @Test
    void whatHasNoMethodHasAReason() throws IOException {
        assertThat(rows()).allSatisfy(row -> {
            boolean mapped = METHOD.matcher(row.methods).find();
            assertThat(mapped || row.methods.equals("–")).as(row.toString()).isTrue();
            assertThat(mapped || row.remark.length() > 10).as(row.toString()).isTrue();
        });
    }

    @Test
    void everyMethodIsThereAndNamesTheFunction() throws IOException {
        Map<String, Path> sources = sources();
        List<String> faults = new ArrayList<>();
        for (Row row : rows()) {
            Matcher method = METHOD.matcher(row.methods);
            while (method.find()) {
                check(method.group(1), method.group(2), method.group(3), sources)
                        .ifPresent(fault -> faults.add(row.function + ": " + fault));
                Path source = sources.get(method.group(1).split("\\.", -1)[0]);
                if (source != null && !namedIn(source, method.group(2), row.function)) {
                    faults.add(row.function + ": not named over " + method.group(2) + " in " + source.getFileName());
                }
            }
        }
        assertThat(faults).isEmpty();
    }

    /** Whether the comment over a method of that name names the function; a record's own comment speaks for its fields. */
    private static boolean namedIn(Path source, String method, String function) throws IOException {
        String text = Files.readString(source);
        // CpuSet and NodeSet have most of their methods from here.
        if (text.contains("extends IndexSet<")) {
            text += Files.readString(source.resolveSibling("IndexSet.java"));
        }
        boolean named = DOCUMENTED
                .matcher(text)
                .results()
                .filter(found -> found.group(2).equals(method))
                .anyMatch(found -> names(found.group(1), function));
        return named || (text.contains("\npublic record ") && names(text, function));
    }

    private static boolean names(String text, String function) {
        return Pattern.compile("\\b" + function + "\\b").matcher(text).find();
    }

    private static Optional<String> check(String type, String name, String parameters, Map<String, Path> sources) {
        Path source = sources.get(type.split("\\.", -1)[0]);
        if (source == null) {
            return Optional.of("no class " + type);
        }
        String text = source.toString().replace('/', '.');
        String packageName = text.replaceFirst(".*\\.src\\.main\\.java\\.(.*)\\.\\w+\\.java$", "$1");
        Class<?> found;
        try {
            found = Class.forName(packageName + "." + type.replace('.', '$'));
        } catch (ClassNotFoundException e) {
            return Optional.of("no class " + type);
        }
        List<String> wanted = parameters.isBlank() ? List.of() : List.of(parameters.split(", *", -1));
        boolean there = Stream.<Executable>concat(
                        Arrays.stream(found.getMethods()), Arrays.stream(found.getConstructors()))
                .filter(method -> method.getName().equals(name) || name.equals("new"))
                .filter(method -> Modifier.isPublic(method.getDeclaringClass().getModifiers()))
                .anyMatch(method -> simpleNames(method).equals(wanted));
        return there ? Optional.empty() : Optional.of("no public method " + type + "." + name + "(" + parameters + ")");
    }

    private static List<String> simpleNames(Executable method) {
        List<String> names = new ArrayList<>(Arrays.stream(method.getParameterTypes())
                .map(Class::getSimpleName)
                .toList());
        if (method.isVarArgs()) {
            int last = names.size() - 1;
            names.set(last, names.get(last).replaceFirst("\\[\\]$", "..."));
        }
        return names;
    }

    /** Public classes of the library by their simple names. */
    private static Map<String, Path> sources() throws IOException {
        try (Stream<Path> files = Files.walk(TOP.resolve("place"))) {
            return files.filter(file -> file.toString().contains("/src/main/java/")
                            && file.toString().endsWith(".java"))
                    .filter(file -> !file.endsWith("package-info.java") && !file.endsWith("module-info.java"))
                    .collect(Collectors.toMap(
                            file -> file.getFileName().toString().replace(".java", ""),
                            file -> file,
                            (one, two) -> one));
        }
    }
}
