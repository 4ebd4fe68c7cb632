package org.berth.spark.threads;

import java.util.Arrays;
import java.util.stream.Collectors;
import org.berth.placement.DevicePolicy;
import org.berth.text.Words;
import org.berth.topology.CpuSet;
import org.jspecify.annotations.Nullable;

/**
 * The user's choice for the threads of a role.
 *
 * @param kind the kind of choice
 * @param cpus with {@link Kind#CPUS} the CPUs, else empty
 * @param policy with {@link Kind#POLICY} the policy
 */
record ServiceTarget(Kind kind, CpuSet cpus, @Nullable DevicePolicy policy) {
    static final ServiceTarget AUTO = new ServiceTarget(Kind.AUTO, CpuSet.empty(), null);
    static final ServiceTarget OFF = new ServiceTarget(Kind.OFF, CpuSet.empty(), null);

    private static final String CPUS_PREFIX = "cpus:";

    enum Kind {
        /** The default, which depends on the role. */
        AUTO,
        /** The executor's whole domain. */
        DOMAIN,
        /** One task slot for each thread in turn, from the last slot backwards. */
        SLOT,
        /** No binding. */
        OFF,
        /** Given CPUs. */
        CPUS,
        /** A policy near the network card. */
        POLICY
    }

    /**
     * Reads a value of a setting.
     *
     * @throws IllegalArgumentException one line with the valid values
     */
    static ServiceTarget parse(String setting, String text) {
        String word = text.strip();
        if (word.startsWith(CPUS_PREFIX)) {
            return new ServiceTarget(Kind.CPUS, cpus(setting, word.substring(CPUS_PREFIX.length())), null);
        }
        for (Kind kind : new Kind[] {Kind.AUTO, Kind.DOMAIN, Kind.SLOT, Kind.OFF}) {
            if (word.equals(Words.of(kind))) {
                return new ServiceTarget(kind, CpuSet.empty(), null);
            }
        }
        for (DevicePolicy policy : DevicePolicy.values()) {
            if (word.equals(policy.word())) {
                return new ServiceTarget(Kind.POLICY, CpuSet.empty(), policy);
            }
        }
        throw new IllegalArgumentException(setting + " cannot be '" + text
                + "'; it is auto, domain, slot, off, cpus:LIST, "
                + Arrays.stream(DevicePolicy.values()).map(DevicePolicy::word).collect(Collectors.joining(", ")));
    }

    private static CpuSet cpus(String setting, String list) {
        CpuSet cpus;
        try {
            cpus = CpuSet.parseList(list);
        } catch (RuntimeException e) {
            throw new IllegalArgumentException(setting + ": '" + list + "' is not a list of CPUs such as 0-3,8", e);
        }
        if (cpus.isEmpty() || cpus.isInfinite()) {
            throw new IllegalArgumentException(setting + ": '" + list + "' must name CPUs, such as 0-3,8");
        }
        return cpus;
    }
}
