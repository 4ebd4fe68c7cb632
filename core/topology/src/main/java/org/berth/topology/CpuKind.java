package org.berth.topology;

import java.util.Map;

/**
 * CPUs of one kind, such as the P and the E cores of a hybrid processor ({@code hwloc_cpukinds_get_info}).
 *
 * @param efficiency rank among the kinds, 0 for those that need the least energy and compute the least; -1 when unknown
 * @param infos what the system says of the kind, such as FrequencyMaxMHz or CoreType
 */
public record CpuKind(int efficiency, CpuSet cpus, Map<String, String> infos) {
    public CpuKind {
        infos = Map.copyOf(infos);
    }
}
