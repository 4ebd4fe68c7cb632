package org.berth.spark.executor;

import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.spark.SparkConf;
import org.berth.spark.settings.AffinitySettings;

/**
 * Whether the JIT compilers have become quiet. Until then tasks on every core take turns with the compiler threads, which
 * come to their end later, and so does the compiled code that tasks wait for: on 2 CPUs the first pass of a sort took a third
 * longer with tasks on cores, the ninth and later ones a fifth less (docs/background/benchmarks.md). Thread-safe.
 */
public final class WarmUp {
    private static final List<String> SETTINGS = List.of("auto", "true", "false");

    /** Quiet is less than this part of one CPU, in each of so many looks a second apart, while tasks run. */
    private static final double QUIET = 0.5;

    private static final int LOOKS = 2;

    /**
     * Compilers were seen to need two thirds of a CPU, a third of an executor of 2. Of one with more CPUs than these that is
     * less than a twelfth, which is about what runs differ by; with one CPU there is nothing to choose.
     */
    private static final int SMALL_CPUS = 8;

    /** Code that never comes to rest shall not keep tasks from their places. */
    private static final int LONGEST_LOOKS = 60;

    private final CompilationMXBean compilers;
    private final String note;
    private final AtomicInteger running = new AtomicInteger();
    private final AtomicInteger tasks = new AtomicInteger();
    private volatile boolean over;
    private int tasksBefore;
    private int looks;
    private int quiet;
    private long nanosBefore = System.nanoTime();
    private long compiledBefore;

    private WarmUp(CompilationMXBean compilers, boolean over, String note) {
        this.compilers = compilers;
        this.over = over;
        this.note = note;
        this.compiledBefore = over ? 0 : compilers.getTotalCompilationTime();
    }

    /**
     * Over from the beginning unless asked for, or useful by itself, with compilers that can be asked.
     *
     * @param tight whether tasks get cores or PUs; in larger places the kernel makes room
     * @param cpus number of CPUs that tasks and compilers share by default; 0 where the places were chosen by somebody
     * @throws IllegalStateException one line, when the setting is not understood
     */
    public static WarmUp of(SparkConf conf, boolean tight, int cpus) {
        String asked = conf.get(AffinitySettings.WARM_UP, "auto").strip();
        if (!SETTINGS.contains(asked)) {
            throw new IllegalStateException(
                    AffinitySettings.WARM_UP + "=" + asked + " is none of " + String.join(", ", SETTINGS));
        }
        CompilationMXBean compilers = ManagementFactory.getCompilationMXBean(); // null under -Xint
        boolean can = compilers != null && compilers.isCompilationTimeMonitoringSupported();
        String obstacle = !tight
                ? "only the levels core and pu wait for the compilers"
                : can ? "" : "this JVM does not tell how long its compilers work: tasks are bound from the first one";
        boolean useful = cpus > 1 && cpus <= SMALL_CPUS;
        boolean waits = obstacle.isEmpty() && (asked.equals("true") || (asked.equals("auto") && useful));
        String note =
                asked.equals("true") && !waits ? AffinitySettings.WARM_UP + "=true does nothing: " + obstacle : "";
        return new WarmUp(compilers, !waits, note);
    }

    /** Why it was asked for in vain; empty when there is nothing to say. */
    public String note() {
        return note;
    }

    public boolean over() {
        return over;
    }

    public void taskStarts() {
        running.incrementAndGet();
        tasks.incrementAndGet();
    }

    public void taskEnds() {
        running.decrementAndGet();
    }

    /**
     * To be called once a second, by one thread.
     *
     * @return when it is over now, what to say
     */
    public Optional<String> look() {
        if (over) {
            return Optional.empty();
        }
        long nanos = System.nanoTime();
        long compiled = compilers.getTotalCompilationTime();
        int started = tasks.get();
        // An executor that nobody uses has quiet compilers too.
        if (running.get() > 0 || started > tasksBefore) {
            boolean isQuiet = (compiled - compiledBefore) * 1e6 < QUIET * (nanos - nanosBefore);
            quiet = isQuiet ? quiet + 1 : 0;
            looks++;
        }
        nanosBefore = nanos;
        compiledBefore = compiled;
        tasksBefore = started;
        over = quiet >= LOOKS || looks >= LONGEST_LOOKS;
        return over
                ? Optional.of("the compilers " + (quiet >= LOOKS ? "are quiet" : "do not become quiet") + " after "
                        + started + " tasks: tasks are bound from now on")
                : Optional.empty();
    }
}
