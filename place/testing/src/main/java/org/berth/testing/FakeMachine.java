package org.berth.testing;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.berth.binding.Binder;
import org.berth.binding.BindingCapabilities;
import org.berth.binding.Capability;
import org.berth.binding.LocalMachine;
import org.berth.topology.CpuSet;
import org.berth.topology.FailureKind;
import org.berth.topology.NodeSet;
import org.berth.topology.Topology;
import org.berth.topology.xml.TopologyXml;

/**
 * A machine that is not there: any topology and any cpuset. Its {@link #binder()} binds nothing and records who was bound where; it
 * refuses what a real one refuses, and on demand everything. Pure Java, on any operating system. Thread-safe.
 *
 * @since 0.1.0
 */
public final class FakeMachine implements LocalMachine {
    private final Topology topology;
    private final FakeBinder binder;

    private FakeMachine(Topology topology) {
        this.topology = topology;
        this.binder = new FakeBinder(topology);
    }

    /**
     * A machine from a synthetic description of hwloc, with a name for each level: "pack:8 [numa] core:4 pu:2".
     *
     * @throws IllegalArgumentException when it is not understood: attributes other than {@code memory=}, memory nodes at several
     *     levels and levels without a name are not
     */
    public static FakeMachine of(String description) {
        return ofXml(SyntheticXml.of(description));
    }

    /**
     * A machine from the XML that {@code lstopo --of xml} or {@code berth topo --xml} write.
     *
     * @throws org.berth.topology.TopologyException when it is not one
     */
    public static FakeMachine ofXml(String xml) {
        return of(TopologyXml.parse(xml));
    }

    /** A machine with this topology. */
    public static FakeMachine of(Topology topology) {
        return new FakeMachine(topology);
    }

    /**
     * A machine that was recorded, such as "256ppc-8n8s4t"; the recordings are those of hwloc's own tests, under its licence.
     *
     * @throws IllegalArgumentException when there is none of that name
     */
    public static FakeMachine recorded(String name) {
        String file = "machines/xml/" + name + ".xml";
        try (InputStream in = name.matches("[\\w+-]+") ? FakeMachine.class.getResourceAsStream(file) : null) {
            if (in == null) {
                throw new IllegalArgumentException("there is no recorded machine \"" + name
                        + "\": the folder machines/xml of the jar of berth-testing has them");
            }
            return ofXml(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new IllegalArgumentException("the recorded machine \"" + name + "\" cannot be read", e);
        }
    }

    /**
     * The same machine, of which a program may use only these CPUs, as under {@code taskset} or in a container; nothing is bound there.
     *
     * @param cpus kernel numbers, at least one of the machine
     * @throws IllegalArgumentException when the machine has none of them
     */
    public FakeMachine withAllowed(CpuSet cpus) {
        if (!topology.cpuSet().intersects(cpus)) {
            throw new IllegalArgumentException(
                    "CPUs " + cpus + ": the machine has none of them, only " + topology.cpuSet());
        }
        return of(topology.withAllowed(cpus, NodeSet.full()));
    }

    /** From now on every binding fails with this kind, until {@link #allow()}. */
    public void refuse(FailureKind kind) {
        binder.refuse(Optional.of(kind));
    }

    /** Ends what {@link #refuse} has begun. */
    public void allow() {
        binder.refuse(Optional.empty());
    }

    /**
     * The CPUs to which the thread of this name was bound last, while it is bound; when it is not, those of the process.
     *
     * @param thread its name; of threads of one name the one that was bound last
     * @throws IllegalArgumentException when nobody has tried to bind a thread of that name
     */
    public CpuSet bound(String thread) {
        return binder.bound(thread);
    }

    /**
     * Every binding, in order: the name of the thread, or "process PID", and its CPUs; the end of a binding is one to the former CPUs.
     */
    public List<Map.Entry<String, CpuSet>> history() {
        return binder.history();
    }

    @Override
    public Topology topology() {
        return topology;
    }

    /** Is always true: a program that asks does as on its own machine. */
    @Override
    public boolean isThisMachine() {
        return true;
    }

    @Override
    public BindingCapabilities capabilities() {
        return new BindingCapabilities(List.of(new Capability("cpu binding", true, "recorded, of a fake machine")));
    }

    @Override
    public Binder binder() {
        return binder;
    }
}
