package org.berth.cli.compare;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.berth.cli.UntilSeen;

/** Work for a comparison: two threads that count until they have been looked at, and a result. */
final class CompareSubject {
    private static final int LOOKS = 12;

    private static volatile boolean seen;

    private CompareSubject() {}

    public static void main(String[] args) throws InterruptedException, IOException {
        List<Thread> workers = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            Thread worker = new Thread(CompareSubject::count, "worker-" + i);
            worker.setDaemon(true);
            worker.start();
            workers.add(worker);
        }
        UntilSeen.await(LOOKS);
        seen = true;
        for (Thread worker : workers) {
            worker.join();
        }
        System.out.println("berth-job-result=42");
    }

    private static void count() {
        long x = 1;
        for (long i = 0; !seen; i++) {
            x = x * 6364136223846793005L + i;
        }
        if (x == 0) {
            System.out.println("never");
        }
    }
}
