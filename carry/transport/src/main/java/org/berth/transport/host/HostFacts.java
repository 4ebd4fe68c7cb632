package org.berth.transport.host;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.berth.observation.ProcessStatus;
import org.berth.observation.Reading;
import org.berth.topology.NodeSet;

/**
 * What of a host decides about the defaults of an engine.
 *
 * @param architecture as the JVM names it: "amd64", "aarch64", "ppc64le"
 * @param cpus those that this process may use
 * @param device the kind of network adapter that is used
 * @since 0.1.0
 */
public record HostFacts(String architecture, int cpus, DeviceKind device) {
    /** Kinds of network adapters. */
    public enum DeviceKind {
        /** InfiniBand, or Ethernet with RDMA in the adapter. */
        RDMA,
        /** RDMA in software over an Ethernet adapter (rxe, siw). */
        SOFT_RDMA,
        /** An adapter without RDMA. */
        ETHERNET,
        /** None was found. */
        NONE,
        /** This process may not see which there are. */
        UNKNOWN
    }

    private static final String NODES = "Mems_allowed_list";

    /**
     * The JVM's view of the host, and the adapter that {@link AdapterChoice} takes there.
     *
     * @param root {@code /}, or the top of a recorded machine
     * @param device the name of an adapter, or {@link AdapterChoice#AUTO}
     */
    public static HostFacts of(Path root, String device) {
        HostFacts jvm = ofJvm();
        Reading<List<NetworkDevice>> devices = NetworkDevices.read(root);
        DeviceKind kind = AdapterChoice.of(devices, device, nodes(root))
                .device()
                .map(NetworkDevice::kind)
                .orElse(devices.refusal().isPresent() ? DeviceKind.UNKNOWN : DeviceKind.NONE);
        return new HostFacts(jvm.architecture(), jvm.cpus(), kind);
    }

    /** The memory nodes of this process, without the time that a topology takes. */
    private static NodeSet nodes(Path root) {
        try {
            return ProcessStatus.of(root.resolve("proc/self"))
                    .field(NODES)
                    .map(NodeSet::parseList)
                    .orElseGet(NodeSet::empty);
        } catch (IOException unreadable) {
            // Of equally fast adapters another may be chosen, and its reason names no node.
            return NodeSet.empty();
        }
    }

    /** The JVM's own view of the host, without a network adapter. */
    public static HostFacts ofJvm() {
        return new HostFacts(
                System.getProperty("os.arch"), Runtime.getRuntime().availableProcessors(), DeviceKind.NONE);
    }
}
