package org.berth.cli;

/** Stands for the program of an example: it computes for a moment on a thread with a name, and prints a number. */
final class ExampleSubject {
    private ExampleSubject() {}

    public static void main(String[] args) throws InterruptedException {
        Thread worker = new Thread(() -> System.out.println("p99 " + Math.abs(System.nanoTime() % 100)), "worker-1");
        worker.start();
        worker.join();
        Thread.sleep(200); // long enough for a sample
    }
}
