package org.berth.experiments.run;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * Lets a program go on once it has been sampled often enough, however slow the machine is: a program that makes the file
 * NAME.busy finds NAME.seen after this many samples. The runner waits before each sample, in the thread that opened this.
 */
final class AwaitedSamples implements AutoCloseable {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final Path folder;
    private final int looks;
    private final long watcher = Thread.currentThread().getId();
    private final Map<String, Long> busySince = new HashMap<>();
    private final Thread thread = new Thread(this::answer, "looks");

    private AwaitedSamples(Path folder, int looks) {
        this.folder = folder;
        this.looks = looks;
    }

    static AwaitedSamples in(Path folder, int looks) {
        AwaitedSamples one = new AwaitedSamples(folder, looks);
        one.thread.setDaemon(true);
        one.thread.start();
        return one;
    }

    Path folder() {
        return folder;
    }

    Path busy(String name) {
        return folder.resolve(name + ".busy");
    }

    Path seen(String name) {
        return folder.resolve(name + ".seen");
    }

    /** Words of a shell that wait for the samples, by working (":") or what else is done in each pass; no other process. */
    String shell(String name, String inEachPass) {
        return ": >" + busy(name) + "; until [ -e " + seen(name) + " ]; do " + inEachPass + "; done";
    }

    private void answer() {
        try {
            while (true) {
                try (DirectoryStream<Path> busy = Files.newDirectoryStream(folder, "*.busy")) {
                    for (Path file : busy) {
                        answer(file.getFileName().toString().replace(".busy", ""));
                    }
                }
                Thread.sleep(5);
            }
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void answer(String name) throws IOException {
        long now = THREADS.getThreadInfo(watcher).getWaitedCount();
        Path seen = seen(name);
        if (now - busySince.computeIfAbsent(name, unknown -> now) > looks && Files.notExists(seen)) {
            Files.createFile(seen);
        }
    }

    @Override
    public void close() {
        thread.interrupt();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
