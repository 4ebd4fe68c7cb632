package org.berth.oracle;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Chromium without a window, where it is installed: what a page really looks like. */
public final class HeadlessBrowser {
    private final Path program;

    private HeadlessBrowser(Path program) {
        this.program = program;
    }

    /** The first browser of its kind on the path; aborts the test when none is installed. */
    public static HeadlessBrowser require() {
        return new HeadlessBrowser(Tool.require("chromium", "chromium-browser", "google-chrome"));
    }

    /**
     * Runs it once, with a profile of its own: the browser before may not have let go of its own yet.
     *
     * @return what it wrote to its standard output
     * @throws AssertionError with its error output when it fails
     */
    public String run(String... arguments) throws IOException {
        Path profile = Files.createTempDirectory("berth-browser-");
        List<String> command = new ArrayList<>(List.of(
                program.toString(),
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--hide-scrollbars",
                "--no-first-run",
                "--user-data-dir=" + profile));
        command.addAll(List.of(arguments));
        Child.Result result = Child.run(command.toArray(String[]::new));
        delete(profile);
        if (result.exitCode() != 0) {
            throw new AssertionError(program + ": " + result);
        }
        return result.out();
    }

    /** Processes of a browser that has ended may write a last time. */
    private static void delete(Path profile) {
        Await.until("the end of " + profile, () -> {
            try (Stream<Path> files = Files.walk(profile)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.deleteIfExists(file);
                }
            } catch (IOException | UncheckedIOException stillWritten) {
                return Files.notExists(profile);
            }
            return true;
        });
    }
}
