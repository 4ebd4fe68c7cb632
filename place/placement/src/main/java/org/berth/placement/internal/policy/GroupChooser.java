package org.berth.placement.internal.policy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;
import org.berth.placement.AffinityLevel;
import org.berth.placement.PlacementRequest;
import org.berth.placement.internal.parts.Core;
import org.berth.placement.internal.parts.CpuChoice;
import org.berth.placement.internal.parts.HostPart;
import org.berth.text.Words;
import org.berth.topology.CpuSet;

/**
 * Distributes workers over packages in turn; the cores of a package are cut into groups of neighbours for its workers
 * ({@link CoreGroups}). A worker's threads take the CPUs of its group in turn. Where threads would share a core while
 * another one is free, workers cross packages: as few of them, over as few packages, as that takes. */
final class GroupChooser implements CpuChooser {
    private final List<HostPart> packages;
    private final CoreSpread spread;
    private final CoreGroups groups;
    private final int workers;
    private final int threads;
    private final boolean crowded;
    private final Crowd crowd;
    /** What would be free if no worker crossed: "PU" when threads share PUs. */
    private final String unit;

    private final List<List<CoreGroups.Rung>> rungsOfWorker = new ArrayList<>();

    private GroupChooser(List<HostPart> packages, CoreSpread spread, PlacementRequest request, CoreGroups groups) {
        this.packages = packages;
        this.spread = spread;
        this.groups = groups;
        this.workers = request.workers();
        this.threads = request.threadsPerWorker();
        int[] cores = count(domain -> domain.cores().size());
        int[] rungs = count(domain -> groups.rungs(domain.cores()));
        int total = workers * threads;
        this.crowded = total > IntStream.of(cores).sum();
        this.crowd = new Crowd(total, IntStream.of(rungs).sum());
        this.unit = request.level() == AffinityLevel.PU && crowd.threads() > crowd.units() ? "PU" : "core";
        for (int worker = 0; worker < workers; worker++) {
            rungsOfWorker.add(List.of());
        }
        if (!crowded) {
            int[] homes = Dealing.fitting(cores, workers, threads);
            cutPackages(homes);
            cross(homes);
            return;
        }
        int[] homes = Dealing.crowded(cores, workers);
        if (isEven(Dealing.counts(homes, cores.length), cores, rungs)) {
            cutPackages(homes);
        } else {
            List<Core> all =
                    packages.stream().flatMap(domain -> domain.cores().stream()).toList();
            cut(all, IntStream.range(0, workers).toArray());
        }
    }

    /** Each thread a core with all its PUs. */
    static CpuChooser byCore(List<HostPart> packages, CoreSpread spread, PlacementRequest request) {
        return new GroupChooser(
                packages,
                spread,
                request,
                new CoreGroups(packages, spread, (core, domain) -> List.of(CpuChoice.core(core, domain))));
    }

    /** Each thread a PU, first PUs of all cores before second ones. */
    static CpuChooser byPu(List<HostPart> packages, CoreSpread spread, PlacementRequest request) {
        CoreGroups groups = new CoreGroups(packages, spread, (core, domain) -> {
            List<CpuChoice> choices = new ArrayList<>();
            for (int rank = 0; rank < core.pus().size(); rank++) {
                choices.add(CpuChoice.pu(core, rank, domain));
            }
            return choices;
        });
        return new GroupChooser(packages, spread, request, groups);
    }

    private int[] count(ToIntFunction<HostPart> size) {
        return packages.stream().mapToInt(size).toArray();
    }

    /** Whether workers that stay in their packages leave no core, or when there are more threads than PUs no PU, without a thread. */
    private boolean isEven(int[] counts, int[] cores, int[] rungs) {
        boolean even = true;
        for (int i = 0; i < counts.length; i++) {
            long here = (long) counts[i] * threads;
            even &= crowd.threads() > crowd.units()
                    ? crowd.isEven(here, rungs[i])
                    : here >= cores[i] && here <= rungs[i];
        }
        return even;
    }

    private void cutPackages(int[] homes) {
        for (int i = 0; i < packages.size(); i++) {
            int home = i;
            int[] here = IntStream.range(0, workers)
                    .filter(worker -> homes[worker] == home)
                    .toArray();
            cut(packages.get(i).cores(), here);
        }
    }

    private void cut(List<Core> cores, int[] workersHere) {
        List<List<CoreGroups.Rung>> pieces = groups.cut(cores, workersHere.length, threads, crowd);
        for (int i = 0; i < workersHere.length; i++) {
            rungsOfWorker.set(workersHere[i], pieces.get(i));
        }
    }

    /** The workers for which no package has room take what the others have left. */
    private void cross(int[] homes) {
        Set<Core> used = Collections.newSetFromMap(new IdentityHashMap<>());
        rungsOfWorker.forEach(rungs -> rungs.forEach(rung -> used.add(rung.core())));
        List<List<Core>> free = new ArrayList<>();
        for (HostPart domain : packages) {
            free.add(new ArrayList<>(
                    domain.cores().stream().filter(core -> !used.contains(core)).toList()));
        }
        for (int worker = 0; worker < workers; worker++) {
            if (homes[worker] == Dealing.NOWHERE) {
                int[] shares = Dealing.across(free.stream().mapToInt(List::size).toArray(), threads);
                List<Core> own = new ArrayList<>();
                for (int i = 0; i < shares.length; i++) {
                    List<Core> taken = List.copyOf(spread.of(free.get(i)).subList(0, shares[i]));
                    free.get(i).removeAll(taken);
                    own.addAll(taken);
                }
                rungsOfWorker.set(worker, groups.rungsOf(spread.of(own), threads));
            }
        }
    }

    @Override
    public CpuChoice choose(int worker, int thread) {
        List<CoreGroups.Rung> rungs = rungsOfWorker.get(worker);
        return rungs.get(thread % rungs.size()).choice();
    }

    /** PUs of one core that different workers have: no thread shares one, and yet they are in each other's way. */
    @Override
    public void report(Sharing sharing) {
        for (HostPart domain : packages) {
            IdentityHashMap<Core, Set<Integer>> workersOfCore = new IdentityHashMap<>();
            for (int worker = 0; worker < workers; worker++) {
                for (CoreGroups.Rung rung : rungsOfWorker.get(worker)) {
                    if (rung.choice().domain.equals(domain)) {
                        workersOfCore
                                .computeIfAbsent(rung.core(), core -> new HashSet<>())
                                .add(worker);
                    }
                }
            }
            if (workersOfCore.values().stream().anyMatch(several -> several.size() > 1)) {
                long here = workersOfCore.values().stream()
                        .flatMap(Set::stream)
                        .distinct()
                        .count();
                sharing.add(here + " workers share " + Words.count(workersOfCore.size(), "core"), domain);
            }
        }
    }

    @Override
    public List<String> notes() {
        CpuSet beyond = CpuSet.empty();
        for (int worker = 0; worker < workers; worker++) {
            List<CoreGroups.Rung> rungs = rungsOfWorker.get(worker);
            HostPart first = rungs.get(0).choice().domain;
            if (rungs.stream().anyMatch(rung -> !rung.choice().domain.equals(first))) {
                beyond = beyond.with(worker);
            }
        }
        return Beyond.notes(beyond, "package", threads, unit, crowded);
    }
}
