package org.berth.observation;

import java.util.concurrent.CountDownLatch;

/** What the child JVMs of the tests do. */
final class ChildProgram {
    private ChildProgram() {}

    public static void main(String[] arguments) throws InterruptedException {
        switch (arguments[0]) {
            case "sleep" -> startAndWait("a sleeper (odd) name", ChildProgram::sleep);
            case "churn" -> startAndWait("churner", ChildProgram::churn);
            default -> throw new IllegalArgumentException(arguments[0]);
        }
        Thread.sleep(200); // so that the JVM's own threads are there
        System.out.println("ready");
        sleep();
    }

    /** Thousands of threads that live for less than a millisecond. */
    private static void churn() {
        while (true) {
            start("mayfly", () -> {});
        }
    }

    private static void sleep() {
        try {
            Thread.sleep(600_000); // a bound, should nobody end us
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns when it runs, and so has its name in the kernel too. */
    private static void startAndWait(String name, Runnable work) throws InterruptedException {
        CountDownLatch runs = new CountDownLatch(1);
        start(name, () -> {
            runs.countDown();
            work.run();
        });
        runs.await();
    }

    private static void start(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
    }
}
