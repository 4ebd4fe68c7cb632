package org.berth.spark.executor;

import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.spark.SparkConf;
import org.berth.spark.settings.AffinitySettings;

/**
 * Finds out when the JIT compilers have become quiet. Until then tasks on every core delay the compiler threads, and
 * with
 * them the compiled code that the tasks wait for: on 2 CPUs the first pass of a sort took a third longer with tasks on
 * cores, the ninth and later ones a fifth less (docs/background/benchmarks.md). Thread-safe.
 */
public final class WarmUp {
    private static final List<String> SETTINGS = List.of("auto", "true", "false");

    /** Compilers are quiet when they use less than this part of one CPU in {@link #QUIET_SAMPLES} samples in a row. */
    private static final double QUIET = 0.5;

    private static final int QUIET_SAMPLES = 2;

    /**
     * Compilers needed two thirds of a CPU in measurements, a third of an executor with 2 CPUs. In one with more than 8
     * that is less than a twelfth, about the spread between runs; with one CPU there is nothing to choose.
     */
    private static final int SMALL_CPUS = 8;

    /** Code that is compiled again and again must not delay binding without end. */
    private static final int MAX_SAMPLES = 60;

    private final CompilationMXBean compilers;
    private final String note;
    private final AtomicInteger running = new AtomicInteger();
    private final AtomicInteger tasks = new AtomicInteger();
    private volatile boolean over;
    private int tasksBefore;
    private int samples;
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
     * Reads the setting. The warm-up is over from the start unless it was asked for or is useful, and the JVM reports
     * its compilation time.
     *
     * @param tight whether tasks get cores or PUs; in larger slots the kernel makes room for the compilers
     * @param cpus number of CPUs that tasks and compilers share by default; 0 where the user or Spark chose the slots
     * @throws IllegalStateException one line, when the value is not valid
     */
    public static WarmUp of(SparkConf conf, boolean tight, int cpus) {
        String asked = conf.get(AffinitySettings.WARM_UP, "auto").strip();
        if (!SETTINGS.contains(asked)) {
            throw new IllegalStateException(
                    AffinitySettings.WARM_UP + "=" + asked + " is not one of " + String.join(", ", SETTINGS));
        }
        CompilationMXBean compilers = ManagementFactory.getCompilationMXBean(); // null under -Xint
        boolean can = compilers != null && compilers.isCompilationTimeMonitoringSupported();
        String obstacle = !tight
                ? "only the levels core and pu wait for the compilers"
                : can ? "" : "this JVM does not report its compilation time: tasks are bound from the first one";
        boolean useful = cpus > 1 && cpus <= SMALL_CPUS;
        boolean waits = obstacle.isEmpty() && (asked.equals("true") || (asked.equals("auto") && useful));
        String note =
                asked.equals("true") && !waits ? AffinitySettings.WARM_UP + "=true does nothing: " + obstacle : "";
        return new WarmUp(compilers, !waits, note);
    }

    /** Why there is no warm-up although it was asked for; else empty. */
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

    /** How many tasks started before the compilers were quiet, as a part of a line for the log; empty when none did. */
    public String unbound() {
        int count = tasks.get();
        return count == 0
                ? ""
                : ", " + count + " more started before the compilers were quiet and ran unbound ("
                        + AffinitySettings.WARM_UP + "=false binds them)";
    }

    /**
     * Compares the compilers' CPU time with that of the last call. To be called once a second, by one thread.
     *
     * @return a line for the log when the warm-up ends with this call
     */
    public Optional<String> sample() {
        if (over) {
            return Optional.empty();
        }
        long nanos = System.nanoTime();
        long compiled = compilers.getTotalCompilationTime();
        int started = tasks.get();
        // The compilers of an executor without tasks are quiet, too.
        if (running.get() > 0 || started > tasksBefore) {
            boolean isQuiet = (compiled - compiledBefore) * 1e6 < QUIET * (nanos - nanosBefore);
            quiet = isQuiet ? quiet + 1 : 0;
            samples++;
        }
        nanosBefore = nanos;
        compiledBefore = compiled;
        tasksBefore = started;
        over = quiet >= QUIET_SAMPLES || samples >= MAX_SAMPLES;
        return over
                ? Optional.of("the compilers " + (quiet >= QUIET_SAMPLES ? "are quiet" : "do not become quiet")
                        + " after " + started + " tasks: tasks are bound from now on")
                : Optional.empty();
    }
}
