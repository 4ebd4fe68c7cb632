import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The content of a jar for an engine: the modules of a class path in one folder (docs/decisions/0021-one-jar.md).
 *
 * <p>Arguments: the folder to write, the root of the sources (for licences), the class path.
 */
public final class OneJar {
    private static final String SERVICES = "META-INF/services/";

    private final TreeMap<String, byte[]> entries = new TreeMap<>();

    public static void main(String[] arguments) throws IOException {
        Path folder = Path.of(arguments[0]);
        Path sources = Path.of(arguments[1]);
        OneJar jar = new OneJar();
        for (String element : arguments[2].split(":")) {
            jar.add(Path.of(element));
        }
        jar.licences(sources);
        jar.write(folder);
    }

    private void add(Path element) throws IOException {
        String name = element.getFileName().toString();
        // The module's own classes, of which there are none; and annotations that no JVM needs.
        if (Files.notExists(element) || name.startsWith("jspecify")) {
            return;
        }
        if (Files.isDirectory(element)) {
            addAll(element);
            return;
        }
        if (!name.startsWith("berth-")) {
            throw new IOException("nobody has looked at how " + name + " gets into a jar for engines");
        }
        try (FileSystem jar = FileSystems.newFileSystem(element)) {
            addAll(jar.getPath("/"));
        }
    }

    private void addAll(Path root) throws IOException {
        try (Stream<Path> files = Files.walk(root)) {
            for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile).sorted()::iterator) {
                String entry = root.relativize(file).toString();
                String name = own(entry);
                if (!name.isEmpty()) {
                    put(name, Files.readAllBytes(file));
                }
            }
        }
    }

    private static String own(String entry) {
        boolean left = entry.equals("META-INF/MANIFEST.MF")
                || entry.startsWith("META-INF/maven/")
                // They are among the licences of the whole.
                || entry.equals("META-INF/LICENSE")
                || entry.equals("META-INF/NOTICE")
                || entry.endsWith("package-info.class")
                || entry.equals("module-info.class");
        return left ? "" : entry;
    }

    private void put(String name, byte[] content) throws IOException {
        byte[] before = entries.get(name);
        if (before != null && name.startsWith(SERVICES)) {
            TreeSet<String> lines = new TreeSet<>(lines(before));
            lines.addAll(lines(content));
            entries.put(name, (String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_8));
        } else if (before != null && !Arrays.equals(before, content)) {
            throw new IOException(name + " is in two modules, with different content");
        } else {
            entries.put(name, content);
        }
    }

    private static List<String> lines(byte[] content) {
        return new String(content, StandardCharsets.UTF_8)
                .lines()
                .filter(line -> !line.isBlank())
                .toList();
    }

    private void licences(Path sources) throws IOException {
        String folder = "META-INF/berth/licenses/";
        Path texts = sources.resolve("packaging/licenses");
        put(folder + "LICENSE", Files.readAllBytes(sources.resolve("LICENSE")));
        put(folder + "NOTICE", Files.readAllBytes(sources.resolve("NOTICE")));
        put(folder + "berth-exec", Files.readAllBytes(texts.resolve("GLIBC")));
        put(folder + "LGPL-2.1", Files.readAllBytes(texts.resolve("LGPL-2.1")));
        put(
                folder + "HWLOC-COPYING",
                Files.readAllBytes(sources.resolve("testing/machines/src/main/resources/org/berth/machines/HWLOC-COPYING")));
    }

    private void write(Path folder) throws IOException {
        if (Files.exists(folder)) {
            try (Stream<Path> old = Files.walk(folder)) {
                old.sorted(Comparator.reverseOrder()).forEach(OneJar::delete);
            }
        }
        for (var entry : entries.entrySet()) {
            Path file = folder.resolve(entry.getKey());
            Files.createDirectories(file.getParent());
            Files.write(file, entry.getValue());
        }
    }

    private static void delete(Path file) {
        try {
            Files.delete(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
