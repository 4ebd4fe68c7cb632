package org.berth.placement.internal.policy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;
import org.berth.placement.internal.parts.Core;
import org.berth.placement.internal.parts.CpuChoice;
import org.berth.placement.internal.parts.HostPart;

/**
 * Cuts neighbouring cores into groups, one for each worker, of sizes that differ by one at most. Where that would leave
 * a core (at level
 * pu a PU) without a thread while others have two, each worker gets its share of the PUs instead, and neighbours may
 * share a core.
 */
final class CoreGroups {
    private final CoreSpread spread;
    private final IdentityHashMap<Core, List<Rung>> ladders = new IdentityHashMap<>();

    /**
     * One of the choices that a level makes of a core.
     *
     * @param rank 0 for the first, which is used before the second one of any core
     */
    record Rung(Core core, int rank, CpuChoice choice) {}

    /** The choices that a level makes of one core, in the order of use. */
    interface ChoiceOrder {
        List<CpuChoice> choicesOf(Core core, HostPart domain);
    }

    CoreGroups(List<HostPart> packages, CoreSpread spread, ChoiceOrder order) {
        this.spread = spread;
        for (HostPart domain : packages) {
            for (Core core : domain.cores()) {
                List<CpuChoice> choices = order.choicesOf(core, domain);
                ladders.put(
                        core,
                        IntStream.range(0, choices.size())
                                .mapToObj(rank -> new Rung(core, rank, choices.get(rank)))
                                .toList());
            }
        }
    }

    private List<Rung> ladder(Core core) {
        return Objects.requireNonNull(ladders.get(core));
    }

    /** How many threads these cores hold without sharing what the level gives to one. */
    int rungs(List<Core> cores) {
        return cores.stream().mapToInt(core -> ladder(core).size()).sum();
    }

    /**
     * What each of these workers gets, in the order of use; its threads take that in turn.
     *
     * @param crowd all threads of the plan, and all that its cores hold
     */
    List<List<Rung>> cut(List<Core> cores, int workers, int threads, Crowd crowd) {
        List<List<Core>> groups = new ArrayList<>();
        for (int i = 0; i < workers; i++) {
            groups.add(cores.subList(first(i, workers, cores.size()), first(i + 1, workers, cores.size())));
        }
        long all = (long) workers * threads;
        int units = rungs(cores);
        boolean apart = all <= cores.size()
                || groups.stream()
                        .mapToInt(this::rungs)
                        .allMatch(own -> own > 0 && (all <= units ? own >= threads : crowd.isEven(threads, own)));
        return apart
                ? groups.stream()
                        .map(group -> rungsOf(spread.of(group), threads))
                        .toList()
                : shares(cores, workers, threads);
    }

    private static int first(int rank, int workers, int cores) {
        return (int) ((long) rank * cores / workers);
    }

    /** First ones of all these cores, then second ones: as many as there are threads, or all. */
    List<Rung> rungsOf(List<Core> cores, int threads) {
        List<Rung> rungs = new ArrayList<>();
        for (int rank = 0, before = -1; rungs.size() < threads && rungs.size() > before; rank++) {
            before = rungs.size();
            for (Core core : cores) {
                if (rank < ladder(core).size() && rungs.size() < threads) {
                    rungs.add(ladder(core).get(rank));
                }
            }
        }
        return rungs;
    }

    /**
     * A rung for each thread of all workers: first ones of all cores before second ones, and all evenly when there are
     * too few.
     */
    private List<List<Rung>> shares(List<Core> cores, int workers, int threads) {
        int all = workers * threads;
        List<Rung> rungs = cores.stream().flatMap(core -> ladder(core).stream()).toList();
        List<Rung> dealt = all <= rungs.size()
                ? lowest(rungs, all)
                : IntStream.range(0, all)
                        .mapToObj(i -> rungs.get((int) ((long) i * rungs.size() / all)))
                        .toList();
        return IntStream.range(0, workers)
                .mapToObj(i -> dealt.subList(i * threads, (i + 1) * threads).stream()
                        .sorted(Comparator.comparing(Rung::rank))
                        .toList())
                .toList();
    }

    /**
     * This number of the lowest rank, in the order in which they are. What is left out lies evenly between them, so that no worker
     * reaches over more cores than the others.
     */
    private static List<Rung> lowest(List<Rung> rungs, int count) {
        Set<Rung> taken = Collections.newSetFromMap(new IdentityHashMap<>());
        for (int rank = 0; taken.size() < count; rank++) {
            int wanted = rank;
            List<Rung> same =
                    rungs.stream().filter(rung -> rung.rank() == wanted).toList();
            long few = Math.min(same.size(), count - taken.size());
            IntStream.range(0, same.size())
                    .filter(i -> i * few % same.size() < few)
                    .forEach(i -> taken.add(same.get(i)));
        }
        return rungs.stream().filter(taken::contains).toList();
    }
}
