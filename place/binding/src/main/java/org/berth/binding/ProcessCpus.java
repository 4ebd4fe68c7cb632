package org.berth.binding;

import java.util.List;
import org.berth.binding.errors.BindingException;
import org.berth.observation.ObservationException;
import org.berth.observation.ThreadSampler;
import org.berth.observation.ThreadSnapshot;
import org.berth.topology.CpuSet;
import org.berth.topology.FailureKind;

/** The CPUs on which the threads of a process may run and ran last, from /proc. */
final class ProcessCpus {
    private ProcessCpus() {}

    static CpuSet allowed(long pid) {
        CpuSet all = CpuSet.empty();
        for (ThreadSnapshot thread : threads(pid, "process " + pid)) {
            all = all.union(thread.allowed());
        }
        return all;
    }

    static CpuSet last(long pid) {
        return CpuSet.of(threads(pid, "process " + pid).stream()
                .mapToInt(ThreadSnapshot::lastCpu)
                .toArray());
    }

    static int lastOfThread(int tid) {
        // /proc/TID is there for every thread, with the threads of its process below.
        return threads(tid, "thread " + tid).stream()
                .filter(thread -> thread.tid() == tid)
                .mapToInt(ThreadSnapshot::lastCpu)
                .findFirst()
                .orElseThrow(() -> BindingException.of(
                        FailureKind.GONE, "read", "the CPUs of thread " + tid, "", "it has ended", ""));
    }

    private static List<ThreadSnapshot> threads(long pid, String target) {
        try (ThreadSampler sampler = ThreadSampler.of(pid)) {
            return sampler.sample().threads();
        } catch (ObservationException e) {
            throw BindingException.of(e.kind(), "read", "the CPUs of " + target, String.valueOf(e.getMessage()), "", e);
        }
    }
}
