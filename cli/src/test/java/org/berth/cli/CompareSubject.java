package org.berth.cli;

import java.util.ArrayList;
import java.util.List;

/** Work for a comparison: two threads that count for half a second of their own CPU time, and a result. */
final class CompareSubject {
    private static final long ROUNDS = 300_000_000L;

    private CompareSubject() {}

    public static void main(String[] args) throws InterruptedException {
        List<Thread> workers = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            Thread worker = new Thread(CompareSubject::count, "worker-" + i);
            worker.start();
            workers.add(worker);
        }
        for (Thread worker : workers) {
            worker.join();
        }
        System.out.println("berth-job-result=42");
    }

    private static void count() {
        long x = 1;
        for (long i = 0; i < ROUNDS; i++) {
            x = x * 6364136223846793005L + i;
        }
        if (x == 0) {
            System.out.println("never");
        }
    }
}
