package org.berth.cli.tune;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.berth.cli.shared.CommandException;
import org.berth.cli.shared.arguments.WordList;
import org.berth.observation.Reading;
import org.berth.placement.MemoryMode;
import org.berth.placement.internal.NearestWord;
import org.berth.placement.internal.shape.ShapePart;
import org.berth.text.Words;
import org.berth.topology.NodeSet;
import org.berth.topology.Topology;

/**
 * Options of a JVM that race: words for those that have to fit the place, and others as they are. Pure.
 *
 * @param words {@code numa}, {@code gc-threads}, {@code thp}, or options that begin with a dash; empty for none
 */
record RacedFlags(List<String> words) {
    static final RacedFlags NONE = new RacedFlags(List.of());

    private static final String NUMA = "numa";
    private static final String GC_THREADS = "gc-threads";
    private static final String HUGE_PAGES = "thp";

    /** Not every plus: "-XX:+UseZGC" has one. */
    private static final String JOINT = "\\+(?=numa|gc-threads|thp|-)";

    RacedFlags {
        words = List.copyOf(words);
    }

    /**
     * What the words mean in a place.
     *
     * @param options for the JVM
     * @param obstacle why they make no candidate here
     */
    record Fit(List<String> options, Optional<String> obstacle) {}

    /** Parses "none,numa,gc-threads+thp,-XX:+UseZGC". */
    static List<RacedFlags> parseList(String list) {
        return WordList.parse("--jvm-flags", list, RacedFlags::parse);
    }

    private static RacedFlags parse(String text) {
        if (text.equals("none")) {
            return NONE;
        }
        List<String> words = List.of(text.split(JOINT, -1));
        for (String word : words) {
            boolean known = List.of(NUMA, GC_THREADS, HUGE_PAGES).contains(word);
            if (!known && (word.length() < 2 || !word.startsWith("-") || word.contains("{"))) {
                throw CommandException.usage("--jvm-flags '" + text
                        + "': give none, numa, gc-threads, thp, an option such as -XX:+UseZGC, or several joined by +"
                        + NearestWord.hint(word, List.of("none", NUMA, GC_THREADS, HUGE_PAGES)));
            }
        }
        return new RacedFlags(words);
    }

    boolean isNone() {
        return words.isEmpty();
    }

    String word() {
        return String.join("+", words);
    }

    /**
     * The options that fit a shape.
     *
     * @param hugePages the kernel's setting of transparent huge pages
     */
    Fit in(TuneShape shape, Topology topology, Reading<String> hugePages) {
        List<String> options = new ArrayList<>();
        for (String word : words) {
            Fit one = switch (word) {
                case NUMA -> numa(shape, topology);
                case GC_THREADS -> gcThreads(shape, topology);
                case HUGE_PAGES -> hugePages(hugePages);
                default -> fits(word);
            };
            if (one.obstacle().isPresent()) {
                return one;
            }
            options.addAll(one.options());
        }
        return new Fit(options, Optional.empty());
    }

    private static Fit fits(String... options) {
        return new Fit(List.of(options), Optional.empty());
    }

    private static Fit no(String why) {
        return new Fit(List.of(), Optional.of(why));
    }

    /**
     * A heap that the JVM spreads over its nodes. With memory policies other than bind it takes all nodes of the
     * machine (docs/guide/agent.md), also those where it has no CPU.
     */
    private static Fit numa(TuneShape shape, Topology topology) {
        NodeSet all = topology.allowedNodeSet();
        for (ShapePart part : shape.host().parts()) {
            NodeSet nodes = shape.bound() ? part.memoryNodes() : all;
            if (nodes.size() < 2) {
                return no("UseNUMA needs a JVM with several memory nodes, and process " + part.index() + " has one");
            }
            if (!nodes.equals(all) && shape.memory() != MemoryMode.BIND) {
                return no("with memory " + shape.memory().word()
                        + " UseNUMA spreads the heap over nodes where the JVM has no CPU");
            }
        }
        return fits("-XX:+UseNUMA");
    }

    /** One thread of the collector for each core, instead of 5/8 of the PUs beyond 8 (HotSpot's WorkerPolicy). */
    private static Fit gcThreads(TuneShape shape, Topology topology) {
        ShapePart part = shape.least();
        int cores = part.cores();
        int seen = shape.bound() ? part.cpus().size() : topology.allowedCpuSet().size();
        int own = seen <= 8 ? seen : 8 + (seen - 8) * 5 / 8;
        return own == cores
                ? no("a JVM with " + Words.count(seen, "CPU") + " has " + Words.count(own, "collector thread")
                        + " anyway, one for each core")
                : fits("-XX:ParallelGCThreads=" + cores, "-XX:ConcGCThreads=" + Math.max(1, (cores + 2) / 4));
    }

    /** If the setting is not known, the option is tried: a JVM that gets no such pages goes on with ordinary ones. */
    private static Fit hugePages(Reading<String> setting) {
        return setting.fold(
                RacedFlags::hugePages,
                absent -> no("the kernel has no transparent huge pages: " + absent),
                refusal -> hugePages("madvise"));
    }

    private static Fit hugePages(String setting) {
        return switch (setting) {
            case "never" -> no("the kernel gives no transparent huge pages (its setting is never)");
            case "always" -> no("the kernel gives huge pages to every JVM anyway (its setting is always)");
            default -> fits("-XX:+UseTransparentHugePages");
        };
    }
}
