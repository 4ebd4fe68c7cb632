package org.berth.oracle;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/** Programs of the system that are independent witnesses, or set up what a test needs. */
public final class Tool {
    private Tool() {}

    /** Finds a program on the path; a name with its folder is taken as it is. */
    public static Optional<Path> find(String name) {
        return Arrays.stream(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1))
                .filter(folder -> !folder.isEmpty())
                .map(folder -> Path.of(folder).resolve(name))
                .filter(file -> Files.isRegularFile(file) && Files.isExecutable(file))
                .findFirst();
    }

    /**
     * The first of several programs that is on the path; aborts the test with the reason when none is.
     *
     * @param names of programs that do the same
     */
    public static Path require(String... names) {
        return Stream.of(names)
                .flatMap(name -> find(name).stream())
                .findFirst()
                .orElseGet(() -> Assumptions.abort("not installed: " + String.join(" or ", names)));
    }

    /** Aborts the test with what the command said unless it ends well: this machine does not permit what it tries. */
    public static void requireSuccess(String... command) {
        require(command[0]);
        Child.Result result = Child.run(command);
        Assumptions.assumeTrue(
                result.exitCode() == 0, () -> "cannot run " + String.join(" ", command) + " here: " + result.err());
    }

    /**
     * Standard output of a command, without the last line break.
     *
     * @throws AssertionError with its standard error unless it ends with 0
     */
    public static String output(String... command) {
        return output(Map.of(), command);
    }

    /** The same with more variables in its environment. */
    public static String output(Map<String, String> environment, String... command) {
        ProcessBuilder builder = new ProcessBuilder(command);
        // The texts that tests look for are English.
        builder.environment().put("LC_ALL", "C");
        builder.environment().putAll(environment);
        Child.Result result = Child.run(builder);
        if (result.exitCode() != 0) {
            throw new AssertionError(String.join(" ", command) + ": " + result);
        }
        return result.output();
    }
}
