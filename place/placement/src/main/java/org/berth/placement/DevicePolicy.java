package org.berth.placement;

import org.berth.text.Words;

/**
 * How threads that serve a device are spread over the machine, after Lu, Shi, Panda and others, who did it in the RDMA
 * engines of Hadoop and Spark ("Performance Characterization and Acceleration of Big Data Workloads on OpenPOWER
 * System"). Of the paper only the abstract could be read here: what each name means in detail is our reading.
 *
 * <p>The near socket is what {@link org.berth.topology.Topology#locality} says of the device: mostly its package, less
 * where the machine knows more (a memory node of a package), all of the machine where it knows nothing.
 *
 * @since 0.1.0
 */
public enum DevicePolicy {
    /** One thread to N hardware threads of the near socket, in turn: first groups of all cores before second ones. */
    O2NTS("one thread to N hardware threads of the near socket", true),
    /** One thread to all cores of the near socket: threads move freely inside. */
    O2ACS("one thread to all cores of the near socket", true),
    /** One thread to one core of the near socket, with all its hardware threads, in turn. */
    O2OCS("one thread to one core of the near socket", true),
    /** Spreads like {@link #O2NTS}, but over all cores: the groups of the near socket first, then others by distance. */
    O2NTC("one thread to N hardware threads of any socket, near ones first", false),
    /** Spreads like {@link #O2OCS}, but over all cores: those of the near socket first, then others by distance. */
    O2OCC("one thread to one core of any socket, near ones first", false);

    private final String meaning;
    private final boolean near;

    DevicePolicy(String meaning, boolean near) {
        this.meaning = meaning;
        this.near = near;
    }

    /** The user's word for it, in lower case. */
    public String word() {
        return Words.of(this);
    }

    /** Its effect in a few words, without a full stop. */
    public String meaning() {
        return meaning;
    }

    /** Whether no thread ever leaves the near socket. */
    public boolean staysNear() {
        return near;
    }

    /** Whether the number of hardware threads for each thread matters to it. */
    public boolean countsHardwareThreads() {
        return this == O2NTS || this == O2NTC;
    }

    /**
     * The policy that a user named, in upper or lower case.
     *
     * @throws PlacementException one line with the choices, when there is no such policy
     */
    public static DevicePolicy parse(String text) {
        return Choice.parse("device policy", text, values());
    }

    /** The level that ties threads about as tightly: the text of a plan has a word for no more. */
    public AffinityLevel level(int hardwareThreads) {
        return switch (this) {
            case O2ACS -> AffinityLevel.PACKAGE;
            case O2OCS, O2OCC -> AffinityLevel.CORE;
            case O2NTS, O2NTC -> hardwareThreads == 1 ? AffinityLevel.PU : AffinityLevel.CORE;
        };
    }
}
