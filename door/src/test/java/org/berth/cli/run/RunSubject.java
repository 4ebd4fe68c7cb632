package org.berth.cli.run;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/**
 * The JVM that tests start: collects garbage and compiles, says that it is ready, then echoes a line of standard input
 * and ends with exit code 37. */
final class RunSubject {
    static final int EXIT_CODE = 37;

    private static final int WORKERS = 4;
    private static final CountDownLatch RUNNING = new CountDownLatch(WORKERS);

    private RunSubject() {}

    public static void main(String[] args) throws Exception {
        for (int i = 0; i < WORKERS; i++) {
            Thread worker = new Thread(RunSubject::idle, "worker-" + i);
            worker.setDaemon(true);
            worker.start();
        }
        RUNNING.await();
        work();
        System.gc();
        System.out.println("ready " + ProcessHandle.current().pid() + " "
                + Runtime.getRuntime().availableProcessors());
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        System.out.println("got " + in.readLine());
        System.exit(EXIT_CODE);
    }

    private static void work() {
        List<byte[]> kept = new ArrayList<>();
        for (int i = 0; i < 200_000; i++) {
            byte[] one = new byte[1000 + i % 7];
            if (i % 100 == 0) {
                kept.add(one);
            }
        }
        System.out.println("kept " + kept.size());
    }

    private static void idle() {
        RUNNING.countDown();
        try {
            Thread.sleep(600_000);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
