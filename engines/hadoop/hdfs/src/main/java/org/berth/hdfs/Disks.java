package org.berth.hdfs;

import java.net.URI;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.apache.hadoop.hdfs.server.datanode.StorageLocation;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.berth.observation.DeviceInterrupts;
import org.berth.observation.DeviceTrace;
import org.berth.observation.InterruptMap;
import org.berth.observation.LoadSnapshot;
import org.berth.placement.DynamicPlacement;
import org.berth.placement.DynamicPolicy;
import org.berth.placement.DynamicState;
import org.berth.placement.InterruptReference;
import org.berth.topology.CpuSet;
import org.berth.topology.Topology;

/**
 * The disks below the volumes of a DataNode, each found once and anew when interrupts may have moved. Thread-safe.
 */
final class Disks {
    private static final Path ROOT = Path.of("/");

    private final Topology topology;
    private final HdfsSettings settings;
    private final Map<String, Disk> byVolume = new ConcurrentHashMap<>();
    /** Hadoop's ids of volumes: making a path of a volume takes longer than the whole decision. */
    private final Map<String, Disk> byStorageId = new ConcurrentHashMap<>();

    private volatile InterruptMap interrupts;
    private volatile Network network;

    Disks(Topology topology, HdfsSettings settings) {
        this.topology = topology;
        this.settings = settings;
        this.interrupts = InterruptMap.read(ROOT);
        this.network = Network.of(settings, interrupts);
    }

    /** Finds the disks of a DataNode that starts. */
    void add(Collection<StorageLocation> volumes) {
        volumes.forEach(volume -> byVolume.computeIfAbsent(name(volume.getNormalizedUri()), this::find));
    }

    /** Of a volume that was looked up before, a look into a map. */
    Disk of(FsVolumeSpi volume) {
        Disk known = byStorageId.get(volume.getStorageID());
        return known == null ? first(volume) : known;
    }

    /** One that was added to a running DataNode is told; one with another id in the same place is on another disk. */
    private synchronized Disk first(FsVolumeSpi volume) {
        String name = name(volume.getBaseURI());
        boolean replaced = byStorageId.values().removeIf(disk -> disk.volume().equals(name));
        Disk disk = replaced ? null : byVolume.get(name);
        if (disk == null) {
            disk = find(name);
            byVolume.put(name, disk);
            AffinityPlugin.LOG.info("Berth: another volume: {}", disk.describe());
        }
        byStorageId.put(volume.getStorageID(), disk);
        return disk;
    }

    /** A path, or where a volume is not in a file system of this host, all of its address. */
    private static String name(URI volume) {
        return "file".equals(volume.getScheme()) ? Path.of(volume).toString() : volume.toString();
    }

    /** Of a volume that a DataNode of this process has, by its path, or by Hadoop's id of it when that was met. */
    Optional<Disk> known(String volume) {
        Disk disk = byVolume.get(volume);
        return Optional.ofNullable(disk == null ? byStorageId.get(volume) : disk);
    }

    /** Looks at the interrupts again, and makes the disks anew when they moved. */
    synchronized void refresh() {
        InterruptMap now = InterruptMap.read(ROOT);
        if (!now.equals(interrupts)) {
            interrupts = now;
            network = Network.of(settings, now);
            byVolume.replaceAll((volume, old) -> find(volume));
            byStorageId.replaceAll((id, old) -> byVolume.getOrDefault(old.volume(), old));
        }
    }

    /** For the log. */
    String describe() {
        String volumes = byVolume.values().stream().map(Disk::describe).sorted().collect(Collectors.joining("; "));
        return volumes + "; " + network.describe();
    }

    private Disk find(String volume) {
        DeviceTrace trace = volume.startsWith("/")
                ? DeviceTrace.ofPath(Path.of(volume), ROOT)
                : new DeviceTrace(volume, List.of(), "it is in no file system of this host");
        InterruptReference found = InterruptReference.of(interrupts.devices(trace));
        CpuSet wanted = settings.diskCpus().get(volume);
        InterruptReference disk = wanted == null ? found : InterruptReference.ofCpus(wanted);
        DynamicPlacement placement = DynamicPlacement.of(topology, settings.policy(), disk, network.reference());
        return new Disk(
                volume,
                trace.devices().isEmpty()
                        ? "?"
                        : trace.devices().stream().map(DeviceTrace.Device::name).collect(Collectors.joining("+")),
                disk,
                placement,
                near(disk),
                disk.handlingCpus().isEmpty() ? why(trace) : String.join("; ", placement.notes()));
    }

    /** With no policy the service threads stay free as the others do. */
    private CpuSet near(InterruptReference disk) {
        DynamicPolicy policy = settings.policy() == DynamicPolicy.NONE ? DynamicPolicy.NONE : DynamicPolicy.NODE;
        return DynamicPlacement.of(topology, policy, disk, network.reference())
                .decide(LoadSnapshot.unknown(), DynamicState.start())
                .cpus();
    }

    private String why(DeviceTrace trace) {
        return trace.devices().isEmpty()
                ? trace.reason()
                : interrupts.devices(trace).stream()
                        .map(DeviceInterrupts::reason)
                        .filter(reason -> !reason.isEmpty())
                        .findFirst()
                        .orElse("its interrupts are not seen");
    }
}
