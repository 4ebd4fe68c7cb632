package org.berth.spark.threads;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import org.berth.placement.DevicePolicy;
import org.berth.topology.CpuSet;
import org.jspecify.annotations.Nullable;

/**
 * Where the threads of a role shall be, in the user's words.
 *
 * @param kind which of them
 * @param cpus with {@link Kind#CPUS} the CPUs, else empty
 * @param policy with {@link Kind#POLICY} the policy
 */
record ServicePlace(Kind kind, CpuSet cpus, @Nullable DevicePolicy policy) {
    static final ServicePlace AUTO = new ServicePlace(Kind.AUTO, CpuSet.empty(), null);
    static final ServicePlace OFF = new ServicePlace(Kind.OFF, CpuSet.empty(), null);

    private static final String CPUS_PREFIX = "cpus:";

    enum Kind {
        /** What suits the role: the default. */
        AUTO,
        /** Anywhere in the executor's domain. */
        DOMAIN,
        /** One task slot each, in turn, from the last one back. */
        SLOT,
        /** Where they are. */
        OFF,
        /** On given CPUs. */
        CPUS,
        /** By a policy near the network card. */
        POLICY
    }

    /**
     * Reads a value of a setting.
     *
     * @throws IllegalArgumentException one line with the choices
     */
    static ServicePlace parse(String setting, String text) {
        String word = text.strip().toLowerCase(Locale.ROOT);
        if (word.startsWith(CPUS_PREFIX)) {
            return new ServicePlace(Kind.CPUS, cpus(setting, word.substring(CPUS_PREFIX.length())), null);
        }
        for (Kind kind : new Kind[] {Kind.AUTO, Kind.DOMAIN, Kind.SLOT, Kind.OFF}) {
            if (word.equals(kind.name().toLowerCase(Locale.ROOT))) {
                return new ServicePlace(kind, CpuSet.empty(), null);
            }
        }
        for (DevicePolicy policy : DevicePolicy.values()) {
            if (word.equals(policy.word())) {
                return new ServicePlace(Kind.POLICY, CpuSet.empty(), policy);
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
            throw new IllegalArgumentException(setting + ": '" + list + "' is no list of CPUs, such as 0-3,8", e);
        }
        if (cpus.isEmpty() || cpus.isInfinite()) {
            throw new IllegalArgumentException(setting + ": '" + list + "' must name CPUs, such as 0-3,8");
        }
        return cpus;
    }
}
