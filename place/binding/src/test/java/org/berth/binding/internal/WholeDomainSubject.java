package org.berth.binding.internal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.FutureTask;
import org.berth.binding.BoundScope;
import org.berth.binding.LocalMachine;
import org.berth.binding.internal.jvm.WholeDomain;
import org.berth.oracle.Tool;
import org.berth.topology.CpuSet;

/** Prints what a bound thread sees and passes on, in a JVM in which nobody else holds a domain. */
@SuppressWarnings("try") // a scope is there to be closed
final class WholeDomainSubject {
    private static final int LOOKS = 200;
    private static final int MILLIS_BETWEEN_LOOKS = 10;

    /** In a control group the JVM keeps its own answer for 20 ms. */
    private static final int MILLIS_OF_AN_ANSWER = 100;

    private static final LocalMachine MACHINE = LocalMachine.open();
    private static final CpuSet ALL = MACHINE.topology().allowedCpuSet();
    private static final CpuSet SLOT = CpuSet.of(ALL.last());

    private WholeDomainSubject() {}

    public static void main(String[] arguments) throws Exception {
        System.out.println("unbound " + processors());
        try (BoundScope bound = MACHINE.binder().bindThread(SLOT)) {
            seen("nobody holds a domain");
            try (WholeDomain domain = WholeDomain.hold(ALL)) {
                System.out.println("note " + domain.note().orElse("none") + ", " + domain.processors());
                seen("held");
                domain.change(SLOT);
                System.out.println("changed " + processors());
                try (WholeDomain other = WholeDomain.hold(ALL)) {
                    System.out.println("together " + other.processors());
                }
                System.out.println("alone again " + processors());
                domain.change(CpuSet.of(ALL.first()));
                System.out.println("outside " + maskOfNewThread(ALL.toString()));
            }
            seen("given up");
            try (WholeDomain domain = WholeDomain.holdWithoutThreads(ALL)) {
                seen("held without threads");
            }
        }
        System.out.println("unbound " + processors());
    }

    private static int processors() throws InterruptedException {
        Thread.sleep(MILLIS_OF_AN_ANSWER);
        return Runtime.getRuntime().availableProcessors();
    }

    private static void seen(String when) throws Exception {
        int processors = processors();
        ForkJoinPool pool = new ForkJoinPool();
        System.out.println(when + ": processors " + processors + ", pool " + pool.getParallelism() + ", nproc "
                + Tool.output("nproc").strip() + ", thread " + maskOfNewThread(ALL.toString()) + ", own " + ownMask());
        pool.shutdown();
    }

    /** After it has run for a while. */
    private static String maskOfNewThread(String expected) throws Exception {
        FutureTask<String> mask = new FutureTask<>(() -> {
            for (int i = 0; i < LOOKS && !ownMask().equals(expected); i++) {
                Thread.sleep(MILLIS_BETWEEN_LOOKS);
            }
            return ownMask();
        });
        new Thread(mask).start();
        return mask.get();
    }

    private static String ownMask() throws IOException {
        return Files.readString(Path.of("/proc/thread-self/status"))
                .replaceAll("(?s).*Cpus_allowed_list:\\s*(\\S+).*", "$1");
    }
}
