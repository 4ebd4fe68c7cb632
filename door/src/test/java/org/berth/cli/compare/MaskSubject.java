package org.berth.cli.compare;

import java.util.concurrent.CountDownLatch;
import org.berth.oracle.ProcStatus;

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
            System.out.println(ProcStatus.callingThread().cpus());
            PRINTED.countDown();
            PRINTED.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
