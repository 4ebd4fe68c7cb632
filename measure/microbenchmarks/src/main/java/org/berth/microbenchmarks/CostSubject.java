package org.berth.microbenchmarks;

import java.lang.reflect.Method;
import net.openhft.affinity.Affinity;
import org.berth.binding.LocalMachine;

/** The JVM of {@link ProcessCosts}: does one kind of work and prints the nanoseconds of one piece of it. */
final class CostSubject {
    private static final int ROUNDS = 15;
    private static final int THREADS = 2_000;
    private static final int SWITCHES = 200_000;

    private CostSubject() {}

    public static void main(String[] arguments) throws Exception {
        switch (arguments[0]) {
            case "nothing" -> {}
            case "machine" -> LocalMachine.open();
            case "machine by LWJGL" -> HwlocTopology.live();
            case "bind" -> bind();
            case "bind by OpenHFT" ->
                Affinity.setAffinity(Affinity.getAffinity().nextSetBit(0));
            case "threads" -> System.out.println(best(CostSubject::threads, THREADS));
            case "virtual" -> System.out.println(best(CostSubject::switches, SWITCHES));
            default -> throw new IllegalArgumentException(arguments[0]);
        }
    }

    private static void bind() {
        LocalMachine machine = LocalMachine.open();
        machine.binder().bindThreadForGood(machine.topology().allowedCores().get(0));
    }

    private interface Work {
        void run() throws Exception;
    }

    /** The quickest round: what disturbs a round only makes it longer. */
    private static double best(Work work, int pieces) throws Exception {
        long least = Long.MAX_VALUE;
        for (int round = 0; round < ROUNDS; round++) {
            long before = System.nanoTime();
            work.run();
            least = Math.min(least, System.nanoTime() - before);
        }
        return (double) least / pieces;
    }

    private static void threads() throws InterruptedException {
        for (int i = 0; i < THREADS; i++) {
            Thread thread = new Thread(() -> {}, "bench-" + i);
            thread.start();
            thread.join();
        }
    }

    /** Two virtual threads on one carrier that give way to each other; by reflection, since this is Java 17. */
    @SuppressWarnings("ThreadPriorityCheck") // Giving way is what is measured.
    private static void switches() throws Exception {
        Method start = Thread.class.getMethod("startVirtualThread", Runnable.class);
        Runnable yielding = () -> {
            for (int i = 0; i < SWITCHES / 2; i++) {
                Thread.yield();
            }
        };
        Thread first = (Thread) start.invoke(null, yielding);
        Thread second = (Thread) start.invoke(null, yielding);
        first.join();
        second.join();
    }
}
