package org.berth.machines;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Chromium without a window, where it is installed: what a page really looks like. */
public final class HeadlessBrowser {
    private static final int MOST_SECONDS = 240;
    private static final int DELETIONS = 100;

    private final Path program;
    private final Path folder;

    private HeadlessBrowser(Path program, Path folder) {
        this.program = program;
        this.folder = folder;
    }

    /**
     * The first browser of its kind on the path.
     *
     * @param folder an existing one for its output
     * @return empty when none is installed
     */
    public static Optional<HeadlessBrowser> find(Path folder) {
        return Stream.of("chromium", "chromium-browser", "google-chrome")
                .flatMap(name -> HwlocTools.find(name).stream())
                .findFirst()
                .map(program -> new HeadlessBrowser(program, folder));
    }

    /**
     * Runs it once, with a profile of its own: the browser before may not have let go of its own yet.
     *
     * @return what it wrote to its standard output
     * @throws IllegalStateException with its error output when it fails, or does not end within four minutes
     */
    public String run(String... arguments) throws IOException, InterruptedException {
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
        Path out = folder.resolve("browser-out");
        Path err = folder.resolve("browser-err");
        Process process = new ProcessBuilder(command)
                .redirectOutput(out.toFile())
                .redirectError(err.toFile())
                .start();
        boolean ended = process.waitFor(MOST_SECONDS, TimeUnit.SECONDS);
        process.destroyForcibly().waitFor();
        delete(profile);
        if (!ended || process.exitValue() != 0) {
            String how = ended ? "ended with code " + process.exitValue() : "did not end in " + MOST_SECONDS + " s";
            throw new IllegalStateException(program + " " + how + ": " + Files.readString(err));
        }
        return Files.readString(out);
    }

    /** Processes of a browser that has ended may write a last time. */
    private static void delete(Path profile) throws InterruptedException {
        for (int i = 0; i < DELETIONS && Files.exists(profile); i++) {
            try (Stream<Path> files = Files.walk(profile)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.deleteIfExists(file);
                }
            } catch (IOException | UncheckedIOException stillWritten) {
                Thread.sleep(100);
            }
        }
    }
}
