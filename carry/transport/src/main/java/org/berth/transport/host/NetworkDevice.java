package org.berth.transport.host;

import java.util.Optional;

/**
 * A network adapter of this host, as the kernel describes it.
 *
 * @param name of the network interface, such as "eth0"
 * @param rdma the name of its RDMA device and port, such as "mlx5_0:1"; empty without RDMA
 * @param softRdma whether RDMA is made by software (rxe, siw)
 * @param physical whether there is an adapter below it; bridges, tunnels and the like have none
 * @param up whether its link is up
 * @param megabits of its link in a second; 0 where the driver does not tell
 * @param node the memory node that it is attached to; -1 where the firmware does not tell
 * @param defaultRoute whether the default route uses it
 * @since 0.1.0
 */
public record NetworkDevice(
        String name,
        Optional<String> rdma,
        boolean softRdma,
        boolean physical,
        boolean up,
        long megabits,
        int node,
        boolean defaultRoute) {
    /** What kind of adapter it is. */
    public HostFacts.DeviceKind kind() {
        if (rdma.isEmpty()) {
            return HostFacts.DeviceKind.ETHERNET;
        }
        return softRdma ? HostFacts.DeviceKind.SOFT_RDMA : HostFacts.DeviceKind.RDMA;
    }
}
