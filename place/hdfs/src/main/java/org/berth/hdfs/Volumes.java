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
import org.berth.observation.internal.devices.DeviceInterrupts;
import org.berth.observation.internal.devices.DeviceTrace;
import org.berth.observation.internal.devices.InterruptMap;
import org.berth.observation.internal.load.LoadSnapshot;
import org.berth.placement.internal.dynamic.DynamicPlacement;
import org.berth.placement.internal.dynamic.DynamicPolicy;
import org.berth.placement.internal.dynamic.DynamicState;
import org.berth.placement.internal.dynamic.InterruptReference;
import org.berth.topology.CpuSet;
import org.berth.topology.Topology;

/**
 * The volumes of the DataNodes of this process and the disks below them, each found once, and again when interrupts
 * moved. Thread-safe.
 */
final class Volumes {
    private static final Path ROOT = Path.of("/");

    private final Topology topology;
    private final HdfsSettings settings;
    private final Map<String, VolumePlacement> byVolume = new ConcurrentHashMap<>();
    /** Hadoop's ids of volumes: making a path of a volume takes longer than the whole decision. */
    private final Map<String, VolumePlacement> byStorageId = new ConcurrentHashMap<>();

    private volatile InterruptMap interrupts;
    private volatile Network network;

    Volumes(Topology topology, HdfsSettings settings) {
        this.topology = topology;
        this.settings = settings;
        this.interrupts = InterruptMap.read(ROOT);
        this.network = Network.of(settings, interrupts);
    }

    /** Finds the disks of a DataNode that starts. */
    void add(Collection<StorageLocation> volumes) {
        volumes.forEach(volume -> byVolume.computeIfAbsent(name(volume.getNormalizedUri()), this::find));
    }

    /** One map lookup for a volume that was found before. */
    VolumePlacement of(FsVolumeSpi volume) {
        VolumePlacement known = byStorageId.get(volume.getStorageID());
        return known == null ? first(volume) : known;
    }

    /** Makes the volume {@link #known} by its id, too. */
    synchronized void learnId(FsVolumeSpi volume) {
        byStorageId.put(volume.getStorageID(), of(volume));
    }

    /** A volume that was added to a running DataNode is logged; another id at the same path means another disk. */
    private synchronized VolumePlacement first(FsVolumeSpi volume) {
        String name = name(volume.getBaseURI());
        boolean replaced =
                byStorageId.values().removeIf(known -> known.disk().volume().equals(name));
        VolumePlacement placement = replaced ? null : byVolume.get(name);
        if (placement == null) {
            placement = find(name);
            byVolume.put(name, placement);
            HdfsAffinityPlugin.LOG.info("Berth: another volume: {}", placement.describe());
        }
        byStorageId.put(volume.getStorageID(), placement);
        return placement;
    }

    /** Its path, or all of its address when it is in no file system of this host. */
    private static String name(URI volume) {
        return "file".equals(volume.getScheme()) ? Path.of(volume).toString() : volume.toString();
    }

    /**
     * A volume of a DataNode of this process, by its path, or by Hadoop's id of it once {@link #of} was asked for it.
     */
    Optional<VolumePlacement> known(String volume) {
        VolumePlacement known = byVolume.get(volume);
        return Optional.ofNullable(known == null ? byStorageId.get(volume) : known);
    }

    /** Reads the interrupts again, and finds the disks again when they moved. */
    synchronized void refresh() {
        InterruptMap now = InterruptMap.read(ROOT);
        if (!now.equals(interrupts)) {
            interrupts = now;
            network = Network.of(settings, now);
            byVolume.replaceAll((volume, old) -> find(volume));
            byStorageId.replaceAll((id, old) -> byVolume.getOrDefault(old.disk().volume(), old));
        }
    }

    /** A description for the log. */
    String describe() {
        String volumes = byVolume.values().stream()
                .map(VolumePlacement::describe)
                .sorted()
                .collect(Collectors.joining("; "));
        return volumes + "; " + network.describe();
    }

    private VolumePlacement find(String volume) {
        DeviceTrace trace = volume.startsWith("/")
                ? DeviceTrace.ofPath(Path.of(volume), ROOT)
                : new DeviceTrace(volume, List.of(), "it is in no file system of this host");
        InterruptReference found = InterruptReference.of(interrupts.devices(trace));
        CpuSet wanted = settings.diskCpus().get(volume);
        InterruptReference reference = wanted == null ? found : InterruptReference.ofCpus(wanted);
        DynamicPlacement placement = DynamicPlacement.of(topology, settings.policy(), reference, network.reference());
        String device = trace.devices().isEmpty()
                ? "?"
                : trace.devices().stream().map(DeviceTrace.Device::name).collect(Collectors.joining("+"));
        return new VolumePlacement(
                new Disk(volume, device, reference),
                placement,
                serviceCpus(reference),
                reference.handlingCpus().isEmpty() ? why(trace) : String.join("; ", placement.notes()));
    }

    /** Is empty with the policy none: service threads stay free as the others do. */
    private CpuSet serviceCpus(InterruptReference disk) {
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
                        .orElse("its interrupts are not visible");
    }
}
