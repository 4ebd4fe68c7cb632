package org.berth.transport;

/**
 * What of a host decides about the defaults of an engine.
 *
 * @param architecture as the JVM names it: "amd64", "aarch64", "ppc64le"
 * @param cpus those that this process may use
 * @param device the kind of network adapter that is used
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
        NONE
    }

    /** The JVM's own view of the host, without a network adapter. */
    public static HostFacts ofJvm() {
        return new HostFacts(
                System.getProperty("os.arch"), Runtime.getRuntime().availableProcessors(), DeviceKind.NONE);
    }
}
