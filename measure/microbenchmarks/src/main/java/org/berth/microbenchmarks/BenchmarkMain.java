package org.berth.microbenchmarks;

import java.io.IOException;
import java.util.Collection;
import java.util.List;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Runs the benchmarks in rounds and prints the CPU time that Berth and its peers take, as a Markdown table.
 *
 * <p>A round runs every benchmark once, in a JVM of its own. A ratio is taken within a round, where peers ran within
 * seconds of each other, so that a machine that is slower for some minutes moves both sides.
 */
public final class BenchmarkMain {
    private static final int DEFAULT_ROUNDS = 5;

    private BenchmarkMain() {}

    /**
     * Arguments: a regular expression for benchmarks (default all) and the number of rounds (default 5); the word
     * "memory" alone for what topologies take in the heap; "processes" and a number of rounds for what the agent costs; or
     * "births" and a number of pairs for what the place of a YARN container costs.
     */
    public static void main(String[] arguments) {
        if (arguments.length > 2 || (arguments.length == 2 && !arguments[1].matches("[1-9]\\d{0,3}"))) {
            System.err.println(
                    "berth-microbenchmarks: the arguments are [PATTERN [ROUNDS]], memory, processes [ROUNDS], or births"
                            + " [PAIRS]");
            System.exit(2);
        }
        if (arguments.length == 1 && arguments[0].equals(MemoryFootprint.WORD)) {
            System.out.print(MemoryFootprint.markdown());
            return;
        }
        if (arguments.length > 0 && List.of(ProcessCosts.WORD, BirthCosts.WORD).contains(arguments[0])) {
            processes(arguments[0], arguments.length > 1 ? Integer.parseInt(arguments[1]) : 0);
            return;
        }
        String pattern = arguments.length > 0 ? arguments[0] : ".*";
        int rounds = arguments.length > 1 ? Integer.parseInt(arguments[1]) : DEFAULT_ROUNDS;
        try {
            System.out.print(Report.markdown(run(pattern, rounds)));
        } catch (RunnerException problem) {
            System.err.println("berth-microbenchmarks: " + problem.getMessage());
            System.exit(1);
        }
    }

    private static void processes(String word, int rounds) {
        try {
            System.out.print(
                    word.equals(BirthCosts.WORD) ? BirthCosts.markdown(rounds) : ProcessCosts.markdown(rounds));
        } catch (IOException | InterruptedException problem) {
            System.err.println("berth-microbenchmarks: " + problem.getMessage());
            System.exit(1);
        }
    }

    private static Samples run(String pattern, int rounds) throws RunnerException {
        Samples samples = new Samples();
        for (int round = 1; round <= rounds; round++) {
            Collection<RunResult> results = new Runner(options(pattern)).run();
            for (RunResult result : results) {
                samples.add(result);
            }
            System.err.printf("round %d of %d: %d benchmarks%n", round, rounds, results.size());
        }
        return samples;
    }

    private static Options options(String pattern) {
        return new OptionsBuilder()
                .include(pattern)
                .forks(1)
                .addProfiler(ThreadCpuTime.class)
                .warmupIterations(3)
                .warmupTime(TimeValue.milliseconds(400))
                .measurementIterations(5)
                .measurementTime(TimeValue.milliseconds(300))
                .verbosity(VerboseMode.SILENT)
                .shouldFailOnError(true)
                .build();
    }
}
