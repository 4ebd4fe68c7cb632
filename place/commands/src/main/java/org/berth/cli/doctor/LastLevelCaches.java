package org.berth.cli.doctor;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.berth.topology.CpuSet;
import org.berth.topology.Topology;
import org.berth.topology.TopologyObject;
import org.berth.topology.type.ObjectAttributes;
import org.berth.topology.type.ObjectType;

/**
 * The outermost data caches of a machine. Pure.
 *
 * @param caches in the order of their CPUs
 * @param threadsOfCore the largest number of PUs of a core
 */
record LastLevelCaches(List<Cache> caches, int threadsOfCore) {
    /** A cache. */
    record Cache(CpuSet cpus, long sizeBytes) {}

    static LastLevelCaches of(Topology topology) {
        Set<TopologyObject> outermost = new LinkedHashSet<>();
        int threads = 1;
        for (TopologyObject pu : topology.objects(ObjectType.PU)) {
            outermost(pu).ifPresent(outermost::add);
        }
        for (TopologyObject core : topology.objects(ObjectType.CORE)) {
            threads = Math.max(threads, core.cpuSet().size());
        }
        List<Cache> caches = new ArrayList<>();
        for (TopologyObject cache : outermost) {
            long size = cache.attributes() instanceof ObjectAttributes.Cache known ? known.sizeBytes() : 0;
            caches.add(new Cache(cache.cpuSet(), size));
        }
        return new LastLevelCaches(List.copyOf(caches), threads);
    }

    private static Optional<TopologyObject> outermost(TopologyObject pu) {
        Optional<TopologyObject> last = Optional.empty();
        for (Optional<TopologyObject> up = pu.parent();
                up.isPresent();
                up = up.get().parent()) {
            last = up.get().type().isDataCache() ? up : last;
        }
        return last;
    }

    /** Whether the kernel has a choice between caches: two of them, one of which has two CPUs. */
    boolean severalShared() {
        return caches.size() > 1 && caches.stream().anyMatch(cache -> cache.cpus.size() > 1);
    }

    /** Those near some of these CPUs. */
    LastLevelCaches near(CpuSet cpus) {
        return new LastLevelCaches(
                caches.stream().filter(cache -> cache.cpus.intersects(cpus)).toList(), threadsOfCore);
    }

    /** CPUs of the cache that has most of them; a process that does not fit there fits nowhere. */
    int mostCpus() {
        return caches.stream().mapToInt(cache -> cache.cpus.size()).max().orElse(0);
    }

    /** Size of the largest; 0 when no size is known. */
    long largestBytes() {
        return caches.stream().mapToLong(Cache::sizeBytes).max().orElse(0);
    }
}
