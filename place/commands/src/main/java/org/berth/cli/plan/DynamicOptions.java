package org.berth.cli.plan;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.berth.cli.shared.CommandException;
import org.berth.cli.shared.arguments.OptionRule;
import org.berth.observation.internal.devices.DeviceInterrupts;
import org.berth.observation.internal.devices.DeviceTrace;
import org.berth.observation.internal.devices.InterruptMap;
import org.berth.placement.internal.dynamic.InterruptReference;
import org.berth.topology.CpuSet;
import org.berth.topology.Topology;
import picocli.CommandLine.Option;

/** Devices and load of a placement by interrupts: the options of {@code plan --policy interrupt}. */
public final class DynamicOptions {
    private static final String CPUS = "cpu:";
    private static final Path ROOT = Path.of("/");

    /** What they need and exclude. */
    static final List<OptionRule> RULES = List.of(
            OptionRule.needs("--disk --volume --nic --peer --busy", "--policy", "interrupt or node"),
            OptionRule.excludes(
                    "--policy=o2nts|o2acs|o2ocs|o2ntc|o2occ",
                    "--disk --volume --nic --peer --busy",
                    "only interrupt and node decide by interrupts and load"),
            OptionRule.excludes(
                    "--disk --volume",
                    "--near --rule --text --workers",
                    "a policy by interrupts decides for each thread when it starts"),
            OptionRule.excludes("--disk", "--volume", ""),
            OptionRule.excludes("--nic", "--peer", ""));

    @Option(
            names = "--disk",
            paramLabel = "DISK|cpu:LIST",
            description = "With --policy interrupt or node: the disk, or the CPUs that handle its interrupts.")
    private Optional<String> disk = Optional.empty();

    @Option(
            names = "--volume",
            paramLabel = "DIR",
            description = "Instead of --disk: the disks that hold this directory.")
    private Optional<String> volume = Optional.empty();

    @Option(
            names = "--nic",
            paramLabel = "NIC|cpu:LIST",
            description =
                    "The network adapter (a bond stands for its adapters), or the CPUs that handle its interrupts.")
    private Optional<String> nic = Optional.empty();

    @Option(
            names = "--peer",
            paramLabel = "HOST",
            description = "Instead of --nic: the adapters of the route to this client.")
    private Optional<String> peer = Optional.empty();

    @Option(
            names = "--busy",
            paramLabel = "LIST",
            description = "CPUs that count as busy, \"\" for none; default: the load of this machine, measured now.")
    private Optional<String> busy = Optional.empty();

    /**
     * A device and where its interrupts go.
     *
     * @param name "disk vdb", "disks sda, sdb of /data/1"; "" when none is named
     */
    public record Reference(String name, InterruptReference interrupts) {}

    /** Reports usage errors that can be detected before the topology is read. */
    void check(boolean live) {
        if (disk.isEmpty() && volume.isEmpty()) {
            throw CommandException.usage(
                    "this policy needs a disk: give either --disk or --volume ('berth irq' shows the disks)");
        }
        boolean numbers = disk.filter(text -> text.startsWith(CPUS)).isPresent()
                && nic.filter(text -> !text.startsWith(CPUS)).isEmpty()
                && peer.isEmpty();
        if (!live && (!numbers || busy.isEmpty())) {
            throw CommandException.usage("the description of a machine has neither interrupts nor load: give"
                    + " --disk cpu:LIST, --nic cpu:LIST and --busy LIST, or leave --topology out");
        }
    }

    Reference diskReference(Topology topology) {
        if (volume.isPresent()) {
            return ofTrace("--volume", DeviceTrace.ofPath(Path.of(volume.get()), ROOT), "disk", " of " + volume.get());
        }
        String name = disk.orElseThrow();
        return name.startsWith(CPUS)
                ? ofCpus("--disk", name, topology, "the disk")
                : ofTrace("--disk", DeviceTrace.ofDisk(shortName(name), ROOT), "disk", "");
    }

    Reference networkReference(Topology topology) {
        if (peer.isPresent()) {
            return ofTrace(
                    "--peer", DeviceTrace.ofPeer(address(peer.get()), ROOT), "network adapter", " to " + peer.get());
        }
        if (nic.isEmpty()) {
            return new Reference("", InterruptReference.unknown());
        }
        return nic.get().startsWith(CPUS)
                ? ofCpus("--nic", nic.get(), topology, "the network")
                : ofTrace("--nic", DeviceTrace.ofInterface(nic.get(), ROOT), "network adapter", "");
    }

    /** Is empty when the load is to be measured. */
    Optional<CpuSet> busyCpus(Topology topology) {
        return busy.map(text -> list("--busy", text, 0, topology));
    }

    public static Reference ofTrace(String option, DeviceTrace trace, String noun, String suffix) {
        if (trace.devices().isEmpty()) {
            throw CommandException.usage(option + ": " + trace.subject() + " leads to no device: " + trace.reason());
        }
        List<DeviceInterrupts> devices = InterruptMap.read(ROOT).devices(trace);
        List<String> names =
                trace.devices().stream().map(DeviceTrace.Device::toString).toList();
        return new Reference(
                noun + (names.size() > 1 ? "s " : " ") + String.join(", ", names) + suffix,
                InterruptReference.of(devices));
    }

    public static Reference ofCpus(String option, String text, Topology topology, String name) {
        CpuSet cpus = list(option, text, CPUS.length(), topology);
        if (cpus.isEmpty()) {
            throw CommandException.usage(
                    option + " " + text + ": the list has no CPU; write cpu: and a list such as 0-3,8");
        }
        return new Reference(name, InterruptReference.ofCpus(cpus));
    }

    private static CpuSet list(String option, String text, int from, Topology topology) {
        CpuSet cpus;
        try {
            cpus = CpuSet.parseList(text.substring(from));
        } catch (IllegalArgumentException e) {
            throw CommandException.usage(option + " " + text + ": " + e.getMessage() + "; write a list such as 0-3,8");
        }
        CpuSet absent = cpus.isInfinite() ? CpuSet.empty() : cpus.minus(topology.cpuSet());
        if (!absent.isEmpty()) {
            throw CommandException.usage(
                    option + " " + text + ": there is no CPU " + absent + " here; choose from " + topology.cpuSet());
        }
        return cpus.intersection(topology.cpuSet());
    }

    private static String shortName(String name) {
        return name.startsWith("/dev/") ? name.substring("/dev/".length()) : name;
    }

    static InetAddress address(String host) {
        try {
            return InetAddress.getByName(host);
        } catch (UnknownHostException unknown) {
            throw CommandException.usage("--peer " + host + ": unknown host; give its address");
        }
    }
}
