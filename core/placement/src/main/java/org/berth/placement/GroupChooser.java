package org.berth.placement;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;

/**
 * Workers over packages in turn; the cores of a package are cut into contiguous groups, one for each worker there, of
 * sizes that differ by one at most. A worker's threads take the CPUs of its group in turn.
 */
final class GroupChooser implements CpuChooser {
    private final List<Domain> packages;
    private final int workers;
    private final List<List<CpuChoice>> choicesByWorker = new ArrayList<>();

    private GroupChooser(List<Domain> packages, CoreSpread spread, PlacementRequest request, ChoiceOrder order) {
        this.packages = packages;
        this.workers = request.workers();
        IdentityHashMap<Core, List<CpuChoice>> ladders = new IdentityHashMap<>();
        packages.forEach(domain -> domain.cores().forEach(core -> ladders.put(core, order.choicesOf(core, domain))));
        for (int worker = 0; worker < workers; worker++) {
            int index = worker % packages.size();
            List<Core> cores = packages.get(index).cores();
            int rank = worker / packages.size();
            choicesByWorker.add(group(cores, spread, ladders, rank, workersIn(index), request.threadsPerWorker()));
        }
    }

    /** Each thread a core with all its PUs. */
    static CpuChooser byCore(List<Domain> packages, CoreSpread spread, PlacementRequest request) {
        return new GroupChooser(packages, spread, request, (core, domain) -> List.of(CpuChoice.core(core, domain)));
    }

    /** Each thread a PU, first PUs of all cores before second ones. */
    static CpuChooser byPu(List<Domain> packages, CoreSpread spread, PlacementRequest request) {
        return new GroupChooser(packages, spread, request, (core, domain) -> {
            List<CpuChoice> choices = new ArrayList<>();
            for (int rank = 0; rank < core.pus().size(); rank++) {
                choices.add(CpuChoice.pu(core, rank, domain));
            }
            return choices;
        });
    }

    @Override
    public CpuChoice choose(int worker, int thread) {
        List<CpuChoice> choices = choicesByWorker.get(worker);
        return choices.get(thread % choices.size());
    }

    @Override
    public void report(Sharing sharing) {
        for (int index = 0; index < packages.size(); index++) {
            int cores = packages.get(index).cores().size();
            if (workersIn(index) > cores) {
                sharing.add(workersIn(index) + " workers share " + Sharing.count(cores, "core"), packages.get(index));
            }
        }
    }

    private int workersIn(int index) {
        return workers / packages.size() + (index < workers % packages.size() ? 1 : 0);
    }

    /** The choices of the worker that is the rank-th of all in a package, in the order of use. */
    private static List<CpuChoice> group(
            List<Core> cores,
            CoreSpread spread,
            IdentityHashMap<Core, List<CpuChoice>> ladders,
            int rank,
            int sharers,
            int threadsPerWorker) {
        int from = firstCore(rank, sharers, cores.size());
        int to = Math.max(from + 1, firstCore(rank + 1, sharers, cores.size()));
        if (sharers > cores.size()) {
            List<CpuChoice> core = Objects.requireNonNull(ladders.get(cores.get(from)));
            return rotatedPastEarlierSharers(core, rank, sharers, cores.size(), threadsPerWorker);
        }
        List<Core> own = spread.of(cores.subList(from, to));
        List<CpuChoice> choices = new ArrayList<>();
        for (int round = 0; choices.size() < threadsPerWorker; round++) {
            int before = choices.size();
            for (Core core : own) {
                List<CpuChoice> ladder = Objects.requireNonNull(ladders.get(core));
                if (round < ladder.size()) {
                    choices.add(ladder.get(round));
                }
            }
            if (choices.size() == before) {
                break;
            }
        }
        return choices;
    }

    /** Workers that have to share one core go on where the one before them stopped, so that its PUs are used evenly. */
    private static List<CpuChoice> rotatedPastEarlierSharers(
            List<CpuChoice> core, int rank, int sharers, int cores, int threadsPerWorker) {
        int earlier = 0;
        int from = firstCore(rank, sharers, cores);
        while (rank - earlier > 0 && firstCore(rank - earlier - 1, sharers, cores) == from) {
            earlier++;
        }
        int start = (int) ((long) earlier * threadsPerWorker % core.size());
        List<CpuChoice> choices = new ArrayList<>(core.subList(start, core.size()));
        choices.addAll(core.subList(0, start));
        return choices;
    }

    private static int firstCore(int rank, int sharers, int cores) {
        return (int) ((long) rank * cores / sharers);
    }

    /** The choices that a level makes of one core, in the order of use. */
    private interface ChoiceOrder {
        List<CpuChoice> choicesOf(Core core, Domain domain);
    }
}
