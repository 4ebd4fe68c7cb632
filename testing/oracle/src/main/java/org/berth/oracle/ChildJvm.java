package org.berth.oracle;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The command line of a JVM that runs a main class: the JDK and the class path of the test, unless changed. The options
 * that JVMs take from the environment are not inherited: a JVM would tell of them on standard error.
 */
public record ChildJvm(
        Path java,
        List<String> prefix,
        List<String> options,
        Map<String, String> environment,
        String classPath,
        List<String> program) {
    /** The launcher of the JDK that runs the tests. */
    public static final Path JAVA = Path.of(System.getProperty("java.home"), "bin", "java");

    private static final List<String> JVM_OPTIONS = List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS");

    public ChildJvm {
        prefix = List.copyOf(prefix);
        options = List.copyOf(options);
        environment = Map.copyOf(environment);
        program = List.copyOf(program);
    }

    /** A JVM that runs a class of the tests. */
    public static ChildJvm of(Class<?> main, String... arguments) {
        List<String> program =
                Stream.concat(Stream.of(main.getName()), Stream.of(arguments)).toList();
        return new ChildJvm(JAVA, List.of(), List.of(), Map.of(), System.getProperty("java.class.path"), program);
    }

    /** The same with the launcher of another JDK. */
    public ChildJvm java(Path launcher) {
        return new ChildJvm(launcher, prefix, options, environment, classPath, program);
    }

    /** The same with words in front of the launcher, such as {@code taskset -c 0}. */
    public ChildJvm under(List<String> words) {
        return new ChildJvm(java, words, options, environment, classPath, program);
    }

    /** The same with words in front of the launcher. */
    public ChildJvm under(String... words) {
        return under(List.of(words));
    }

    /** The same with more options of the JVM. */
    public ChildJvm with(String... more) {
        List<String> all = Stream.concat(options.stream(), Stream.of(more)).toList();
        return new ChildJvm(java, prefix, all, environment, classPath, program);
    }

    /** The same with a variable of the environment. */
    public ChildJvm environment(String name, String value) {
        Map<String, String> all = new LinkedHashMap<>(environment);
        all.put(name, value);
        return new ChildJvm(java, prefix, options, all, classPath, program);
    }

    /** The same with another class path. */
    public ChildJvm classPath(String path) {
        return new ChildJvm(java, prefix, options, environment, path, program);
    }

    /**
     * The same as another user, who has no rights: the class path is copied to where he can read it. Skips the test
     * where this process may not act as two users.
     *
     * @param folder is opened to everybody
     */
    public ChildJvm asNobody(Path folder) {
        Machine.requireRoot();
        Tool.require("setpriv");
        List<String> copies = new ArrayList<>();
        for (String entry : classPath.split(File.pathSeparator, -1)) {
            if (!entry.isEmpty() && Files.exists(Path.of(entry))) {
                String copy = folder.resolve(
                                copies.size() + "-" + Path.of(entry).getFileName())
                        .toString();
                Tool.output("cp", "-rL", entry, copy);
                copies.add(copy);
            }
        }
        Tool.output("chmod", "-R", "a+rX", folder.toString());
        List<String> nobody = List.of("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--inh-caps=-all");
        List<String> look = new ArrayList<>(nobody);
        look.addAll(List.of("sh", "-c", "test -x $0 && test -r $1", java.toString(), folder.toString()));
        assumeTrue(
                Child.run(look.toArray(String[]::new)).exitCode() == 0,
                "no other user can reach the JDK and " + folder);
        return classPath(String.join(File.pathSeparator, copies)).under(nobody);
    }

    /**
     * Skips a test of another locale where a JVM in it cannot read its own class path: locale C has no letters beyond
     * ASCII.
     */
    public static void requireAsciiClassPath() {
        String path = System.getProperty("java.class.path");
        assumeTrue(
                path.chars().allMatch(letter -> letter < 0x80),
                "the class path has letters that locale C lacks: " + path);
    }

    /** All words of the command. */
    public List<String> command() {
        List<String> command = new ArrayList<>(prefix);
        command.add(java.toString());
        command.addAll(options);
        command.addAll(List.of("-cp", classPath));
        command.addAll(program);
        return command;
    }

    /** The command with its environment. */
    public ProcessBuilder builder() {
        return withEnvironment(new ProcessBuilder(command()), environment);
    }

    /** Lets a command inherit all but the options of JVMs, and adds variables. */
    public static ProcessBuilder withEnvironment(ProcessBuilder builder, Map<String, String> more) {
        builder.environment().keySet().removeAll(JVM_OPTIONS);
        builder.environment().putAll(more);
        return builder;
    }

    public Child start() {
        return Child.start(builder());
    }

    /** Runs it to its end, without input. */
    public Child.Result run() {
        return Child.run(builder());
    }
}
