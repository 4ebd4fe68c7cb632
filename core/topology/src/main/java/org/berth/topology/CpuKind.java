package org.berth.topology;

import java.util.Map;

/** Skeleton: CPUs of one kind (P and E cores); efficiency -1 is unknown. */
public record CpuKind(int efficiency, CpuSet cpus, Map<String, String> infos) {}
