package org.berth.placement.internal.policy;

import java.util.Comparator;
import java.util.List;
import org.berth.placement.internal.parts.HostPart;

/**
 * What level l3 gives to a thread: the usable CPUs of one L3 cache, or those of one speed where it has several.
 *
 * @param domain its CPUs
 * @param efficiency rank of its CPUs' kind, more for faster ones; -1 when the machine does not rank them
 * @param sizeBytes of the cache; 0 when unknown
 * @param packageIndex L# of its package; -1 for none
 * @param nodes L# of the NUMA nodes that hold its CPUs
 */
public record CachePart(HostPart domain, int efficiency, long sizeBytes, int packageIndex, List<Integer> nodes) {
    /** Faster CPUs before slower ones, then larger caches before smaller ones. */
    public static final Comparator<CachePart> BEST_FIRST = Comparator.comparingInt(CachePart::efficiency)
            .thenComparingLong(CachePart::sizeBytes)
            .reversed();

    int cpus() {
        return domain.cpus().size();
    }

    public boolean isLike(CachePart other) {
        return BEST_FIRST.compare(this, other) == 0;
    }

    /** Whether a worker stays inside both without leaving its node, or its package where no node is known. */
    boolean isNear(CachePart other) {
        return packageIndex == other.packageIndex && nodes.equals(other.nodes);
    }

    /** "NUMA node L#0", "package L#1", or "this machine". */
    String home() {
        if (!nodes.isEmpty()) {
            return HostPart.label("NUMA node", nodes);
        }
        return packageIndex < 0 ? "this machine" : "package L#" + packageIndex;
    }
}
