package org.berth.topology;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * CPUs of one kind, such as the P and the E cores of a hybrid processor ({@code hwloc_cpukinds_get_info}).
 *
 * @param efficiency rank among the kinds, 0 for those that need the least energy and compute the least; -1 when unknown
 * @param forcedEfficiency the efficiency that the system or a user gives, in a unit of its own; -1 when it is not given
 * @param infos what the system reports about the kind, such as FrequencyMaxMHz or CoreType, in the order of the file
 * @since 0.1.0
 */
public record CpuKind(int efficiency, CpuSet cpus, int forcedEfficiency, Map<String, String> infos) {
    public CpuKind {
        infos = Collections.unmodifiableMap(new LinkedHashMap<>(infos));
    }
}
