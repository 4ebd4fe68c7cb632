package org.berth.placement.internal.policy;

import java.util.List;
import org.berth.placement.PlacementRequest;
import org.berth.placement.internal.parts.CpuChoice;
import org.berth.placement.internal.parts.HostPart;
import org.berth.topology.CpuSet;

/**
 * Distributes workers over domains in turn; each thread runs anywhere in one domain. A worker has one domain while one
 * has PUs for all its threads; otherwise its threads are dealt to the smallest number of domains, so that no two share
 * a PU while another one is free. */
final class DomainChooser implements CpuChooser {
    private final List<HostPart> domains;
    private final int workers;
    private final int threads;
    private final List<CpuChoice> choices;
    private final int[] room;
    private final boolean crowded;
    /** Position of the domain of each thread, worker by worker. */
    private final int[] domainOfThread;

    DomainChooser(List<HostPart> domains, PlacementRequest request) {
        this.domains = domains;
        this.workers = request.workers();
        this.threads = request.threadsPerWorker();
        this.choices = domains.stream().map(CpuChoice::anywhereIn).toList();
        this.room = domains.stream().mapToInt(domain -> domain.cpus().size()).toArray();
        this.domainOfThread = new int[workers * threads];
        int pus = 0;
        for (int size : room) {
            pus += size;
        }
        this.crowded = workers * threads > pus;
        if (crowded) {
            crowd(new Crowd((long) workers * threads, pus));
        } else {
            fit(Dealing.fitting(room, workers, threads));
        }
    }

    private void fit(int[] domainOfWorker) {
        int[] free = room.clone();
        for (int worker = 0; worker < workers; worker++) {
            if (domainOfWorker[worker] != Dealing.NOWHERE) {
                free[domainOfWorker[worker]] -= threads;
                fill(worker, domainOfWorker[worker]);
            }
        }
        for (int worker = 0; worker < workers; worker++) {
            if (domainOfWorker[worker] == Dealing.NOWHERE) {
                int[] shares = Dealing.across(free, threads);
                int next = worker * threads;
                for (int domain = 0; domain < shares.length; domain++) {
                    for (int i = 0; i < shares[domain]; i++) {
                        domainOfThread[next++] = domain;
                    }
                    free[domain] -= shares[domain];
                }
            }
        }
    }

    private void crowd(Crowd crowd) {
        int[] domainOfWorker = Dealing.crowded(room, workers);
        int[] counts = Dealing.counts(domainOfWorker, room.length);
        boolean even = true;
        for (int domain = 0; domain < room.length; domain++) {
            even &= crowd.isEven((long) counts[domain] * threads, room[domain]);
        }
        if (even) {
            for (int worker = 0; worker < workers; worker++) {
                fill(worker, domainOfWorker[worker]);
            }
            return;
        }
        int domain = 0;
        long before = 0;
        for (int i = 0; i < domainOfThread.length; i++) {
            while (i * crowd.units() / crowd.threads() >= before + room[domain]) {
                before += room[domain++];
            }
            domainOfThread[i] = domain;
        }
    }

    private void fill(int worker, int domain) {
        for (int thread = 0; thread < threads; thread++) {
            domainOfThread[worker * threads + thread] = domain;
        }
    }

    @Override
    public CpuChoice choose(int worker, int thread) {
        return choices.get(domainOfThread[worker * threads + thread]);
    }

    @Override
    public List<String> notes() {
        CpuSet beyond = CpuSet.empty();
        for (int worker = 0; worker < workers; worker++) {
            // Threads of a worker are in the order of the domains.
            if (domainOfThread[worker * threads] != domainOfThread[(worker + 1) * threads - 1]) {
                beyond = beyond.with(worker);
            }
        }
        return Beyond.notes(beyond, domains.get(0).noun(), threads, "PU", crowded);
    }
}
