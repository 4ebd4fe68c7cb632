import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;

/** Four threads that work on memory of their own and pause now and then, like a server's threads, until the program is stopped. */
public final class Workers {
    private Workers() {}

    public static void main(String[] arguments) throws InterruptedException {
        CountDownLatch started = new CountDownLatch(4);
        for (int i = 0; i < 4; i++) {
            new Thread(() -> work(started), "worker-" + i).start();
        }
        started.await();
        System.out.println("ready");
    }

    private static void work(CountDownLatch started) {
        long[] table = new long[1 << 20];
        started.countDown();
        long sum = 0;
        while (sum >= 0) {
            long burst = System.nanoTime() + ThreadLocalRandom.current().nextLong(20_000_000, 400_000_000);
            while (System.nanoTime() < burst) {
                for (int i = 0; i < table.length; i += 8) {
                    sum += table[i]++;
                }
            }
            try {
                Thread.sleep(ThreadLocalRandom.current().nextLong(20, 200));
            } catch (InterruptedException e) {
                return;
            }
        }
    }
}
