package org.berth.cli.study;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.berth.cli.compare.arms.LevelChoice;
import org.berth.cli.shared.CommandException;
import org.berth.cli.shared.arguments.Arguments;
import org.berth.cli.shared.arguments.MemoryArgument;
import org.berth.cli.shared.arguments.WordList;
import org.berth.cli.shared.launch.CommandLookup;
import org.berth.placement.AffinityLevel;
import org.berth.placement.MemoryMode;
import org.berth.placement.OrderedLevel;
import org.berth.topology.Topology;

/**
 * What a study of collectors chooses: the job allocation with live sets of several sizes, or a java command of the user,
 * under each collector, with UseNUMA and without, at each level and with each memory mode.
 *
 * @param numa values of UseNUMA
 * @param liveMegabytes sizes of the live set; of no meaning with a command
 * @param heapMegabytes of all arms; empty for four times the live set, at least 256 MB
 * @param operations thousands of operations of the job, if given
 * @param command of the user; empty for the job
 */
record CollectorStudy(
        List<Collector> collectors,
        List<Boolean> numa,
        List<OrderedLevel> levels,
        List<MemoryArgument> memories,
        int threads,
        List<Integer> liveMegabytes,
        Optional<Integer> heapMegabytes,
        Optional<String> operations,
        List<String> command) {
    static final String JOB = "allocation";
    static final String LIVE_SETS = "64m,256m";
    static final int RUNS = 6;
    static final int HEAP_FACTOR = 4;
    /** In a heap of 32 MB with 8 MB alive, ZGC of JDK 17 did not end in ten minutes what the others did in a second. */
    static final int SMALLEST_HEAP = 256;

    private static final int SMALLEST_FACTOR = 2;
    private static final int MOST_MEGABYTES = 1 << 20;

    /** Usage errors when a word is wrong. */
    static CollectorStudy of(CollectorOptions options, Topology topology) {
        checkCommand(options);
        List<Integer> live = WordList.parse(
                "--live-sets", options.liveSets().orElse(LIVE_SETS), size -> megabytes("--live-sets", size));
        Optional<Integer> heap = options.heap().map(size -> megabytes("--heap", size));
        for (int size : live) {
            if (heap.isPresent() && heap.get() < SMALLEST_FACTOR * size) {
                throw CommandException.usage("--heap " + options.heap().get() + ": less than twice the live set of "
                        + size + " MB, which would measure a heap that is full; give at least "
                        + SMALLEST_FACTOR * size + "m, or smaller --live-sets");
            }
        }
        return new CollectorStudy(
                Collector.parse(options.gc().orElse(Collector.DEFAULT)),
                numa(options.numa().orElse("off,on")),
                options.levels().map(LevelChoice::parse).orElse(List.of(OrderedLevel.of(AffinityLevel.NONE))),
                options.memory().map(CollectorStudy::memories).orElse(List.of(MemoryArgument.of(MemoryMode.LOCAL))),
                options.threads()
                        .map(text -> Arguments.count("--threads", text))
                        .orElse(topology.allowedCpuSet().size()),
                live,
                heap,
                options.scale().map(text -> Integer.toString(Arguments.count("--scale", text))),
                options.command());
    }

    private static void checkCommand(CollectorOptions options) {
        List<String> command = options.command();
        if (command.isEmpty()) {
            return;
        }
        if (options.liveSets().isPresent()
                || options.heap().isPresent()
                || options.scale().isPresent()) {
            throw CommandException.usage(
                    "--live-sets, --heap and --scale are for the job of the study; give the command"
                            + " its own arguments, such as -Xmx");
        }
        if (!CommandLookup.isJavaLauncher(
                CommandLookup.find(command.get(0), System.getenv().getOrDefault("PATH", "")))) {
            throw CommandException.usage("-- " + command.get(0)
                    + ": a study of collectors adds options behind 'java'; give a command that begins with java");
        }
        command.stream().filter(Collector::isChosenBy).findFirst().ifPresent(option -> {
            throw CommandException.usage(
                    option + ": the study chooses the collector (--gc) and UseNUMA (--numa); leave this option out");
        });
    }

    private static int megabytes(String option, String text) {
        String lower = text.toLowerCase(Locale.ROOT);
        if (lower.matches("[1-9]\\d{0,6}[mg]b?")) {
            int unit = lower.indexOf('g') > 0 ? 1024 : 1;
            long size = Long.parseLong(lower.replaceAll("[mgb]", "")) * unit;
            if (size <= MOST_MEGABYTES) {
                return (int) size;
            }
        }
        throw CommandException.usage(option + " " + text + ": give a size such as 64m or 2g");
    }

    private static List<Boolean> numa(String list) {
        return WordList.parse("--numa", list, List.of(true, false), on -> on ? "on" : "off");
    }

    /** A comma before a digit is one of a list of nodes: "local,bind:0,1". */
    private static List<MemoryArgument> memories(String list) {
        return WordList.parse("--memory", list, ",(?!\\d)", MemoryArgument::parse);
    }

    /** All combinations, in the order of the options. */
    List<CollectorArm> arms() {
        List<CollectorArm> arms = new ArrayList<>();
        for (MemoryArgument memory : memories) {
            for (OrderedLevel level : levels) {
                for (Collector collector : collectors) {
                    numa.forEach(on -> arms.add(new CollectorArm(collector, on, level, memory)));
                }
            }
        }
        return arms;
    }

    int heapMegabytes(int live) {
        return heapMegabytes.orElse(Math.max(SMALLEST_HEAP, HEAP_FACTOR * live));
    }
}
