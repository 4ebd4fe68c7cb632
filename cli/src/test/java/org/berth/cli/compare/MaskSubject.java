package org.berth.cli.compare;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import org.berth.cli.CliProcess;

/** Four threads that live at the same time and print what the kernel lets each run on. */
final class MaskSubject {
    private static final int THREADS = 4;
    private static final CountDownLatch PRINTED = new CountDownLatch(THREADS);

    private MaskSubject() {}

    public static void main(String[] args) {
        for (int i = 0; i < THREADS; i++) {
            new Thread(MaskSubject::print, "some thread " + i).start();
        }
    }

    private static void print() {
        try {
            String status = Files.readString(Path.of("/proc/thread-self/status"));
            System.out.println(CliProcess.field(status, "Cpus_allowed_list"));
            PRINTED.countDown();
            PRINTED.await();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
