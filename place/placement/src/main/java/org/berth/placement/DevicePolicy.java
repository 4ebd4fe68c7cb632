package org.berth.placement;

import org.berth.placement.internal.Choice;
import org.berth.text.Words;

/**
 * How threads that serve a device are spread over the machine, after Lu, Shi, Panda and others, who did it in the RDMA
 * engines of Hadoop and Spark ("Performance Characterization and Acceleration of Big Data Workloads on OpenPOWER
 * System"). Of the paper only the abstract could be read here: what each name means in detail is our reading.
 *
 * <p>The near package is what {@link org.berth.topology.Topology#locality} returns for the device: mostly its package,
 * less where the machine knows more (a memory node of a package), all of the machine where it knows nothing.
 *
 * @since 0.1.0
 */
public enum DevicePolicy {
    /** Each thread gets N PUs of a core of the near package, in turn: first groups of all cores before second ones. */
    O2NTS("each thread on N PUs of the near package", true),
    /** Each thread gets all cores of the near package, and moves freely inside. */
    O2ACS("each thread on all cores of the near package", true),
    /** Each thread gets one core of the near package, with all its PUs, in turn. */
    O2OCS("each thread on one core of the near package", true),
    /**
     * Spreads like {@link #O2NTS}, but over all cores: the groups of the near package first, then others by distance.
     */
    O2NTC("each thread on N PUs of any package, near ones first", false),
    /** Spreads like {@link #O2OCS}, but over all cores: those of the near package first, then others by distance. */
    O2OCC("each thread on one core of any package, near ones first", false);

    private final String meaning;
    private final boolean near;

    DevicePolicy(String meaning, boolean near) {
        this.meaning = meaning;
        this.near = near;
    }

    /** The name that users write, in lower case. */
    public String word() {
        return Words.of(this);
    }

    /** Its effect in a few words, without a full stop. */
    public String meaning() {
        return meaning;
    }

    /** Whether no thread ever leaves the near package. */
    public boolean staysNear() {
        return near;
    }

    /** Whether the number of PUs for each thread matters to it. */
    public boolean countsHardwareThreads() {
        return this == O2NTS || this == O2NTC;
    }

    /**
     * The policy that a user named.
     *
     * @throws PlacementException one line with the choices, when there is no such policy
     */
    public static DevicePolicy parse(String text) {
        return Choice.parse("device policy", text, values(), PlacementException::new);
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
