package org.berth.binding;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.berth.topology.CpuSet;
import org.berth.topology.Topology;
import org.berth.topology.xml.TopologyXml;

/**
 * What a program has where there is no {@link LocalMachine}: a core for each processor that the JVM counts, to which nothing is bound.
 * Immutable.
 */
final class UnboundMachine implements LocalMachine {
    private static final AtomicBoolean TOLD = new AtomicBoolean();

    private final Topology topology;
    private final String reason;

    private UnboundMachine(Topology topology, String reason) {
        this.topology = topology;
        this.reason = reason;
    }

    /** Logs the reason, once in this JVM. */
    static LocalMachine because(String reason) {
        tell(reason);
        return new UnboundMachine(TopologyXml.parse(xml(Runtime.getRuntime().availableProcessors())), reason);
    }

    static void tell(String reason) {
        if (TOLD.compareAndSet(false, true)) {
            System.getLogger(LocalMachine.class.getName())
                    .log(System.Logger.Level.WARNING, "berth: nothing is bound: " + reason);
        }
    }

    private static String xml(int cores) {
        String nodes = sets("nodeset", "0x00000001");
        String all = sets("cpuset", CpuSet.range(0, cores - 1).toMaskString());
        StringBuilder xml = new StringBuilder("<topology version=\"2.0\"><object type=\"Machine\" gp_index=\"1\"");
        xml.append(all)
                .append(nodes)
                .append("><object type=\"NUMANode\" os_index=\"0\" gp_index=\"2\"")
                .append(all)
                .append(nodes)
                .append("/>");
        for (int core = 0; core < cores; core++) {
            String own = " os_index=\"" + core + "\""
                    + sets("cpuset", CpuSet.of(core).toMaskString()) + nodes + " gp_index=\"";
            xml.append("<object type=\"Core\"").append(own).append(3 + 2 * core).append("\">");
            xml.append("<object type=\"PU\"").append(own).append(4 + 2 * core).append("\"/></object>");
        }
        return xml.append("</object></topology>").toString();
    }

    private static String sets(String name, String mask) {
        return " " + name + "=\"" + mask + "\" complete_" + name + "=\"" + mask + "\" allowed_" + name + "=\"" + mask
                + "\"";
    }

    @Override
    public Topology topology() {
        return topology;
    }

    @Override
    public boolean isThisMachine() {
        return false;
    }

    @Override
    public BindingCapabilities capabilities() {
        return new BindingCapabilities(List.of(new Capability("cpu binding", false, reason)));
    }

    @Override
    public Binder binder() {
        return new NoBinder(topology);
    }
}
