package org.berth.cli.topo;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.berth.cli.shared.CommandException;
import org.berth.cli.shared.TargetMachine;
import org.berth.text.Bytes;
import org.berth.text.Json;
import org.berth.text.WordWrap;
import org.berth.text.Words;
import org.berth.topology.Topology;
import org.berth.topology.TopologyObject;
import org.berth.topology.diff.TopologyDiff;
import org.berth.topology.diff.TopologyDiff.Change;
import org.berth.topology.type.ObjectType;
import org.jspecify.annotations.Nullable;

/**
 * Differences between two machines that should be alike, such as hosts of a cluster. Infos that differ on every host (its
 * name, addresses and serial numbers) are not counted.
 */
final class TopologyDrift {
    private static final Set<String> OF_THE_HOST = Set.of(
            "Address",
            "DMIBoardAssetTag",
            "DMIBoardSerial",
            "DMIChassisAssetTag",
            "DMIChassisSerial",
            "DMIProductSerial",
            "DMIProductUUID",
            "HostName",
            "hwlocVersion",
            "LinuxCgroup",
            "LinuxUUID",
            "NodeGUID",
            "NVIDIASerial",
            "NVIDIAUUID",
            "ProcessName",
            "SerialNumber",
            "SysImageGUID");

    private final TargetMachine one;
    private final TargetMachine other;
    private final List<Change> drift;
    private final List<Change> ofTheHost;
    private final TopologyDiff diff;

    private TopologyDrift(TargetMachine one, TargetMachine other) {
        this.one = one;
        this.other = other;
        this.diff = TopologyDiff.between(one.topology(), other.topology());
        this.drift = diff.changes().stream()
                .filter(change -> !isOfTheHost(change.name()))
                .toList();
        this.ofTheHost = diff.changes().stream()
                .filter(change -> isOfTheHost(change.name()))
                .toList();
    }

    static TopologyDrift between(TargetMachine one, TargetMachine other) {
        return new TopologyDrift(one, other);
    }

    private static boolean isOfTheHost(@Nullable String info) {
        return info != null && (OF_THE_HOST.contains(info) || info.startsWith("Port"));
    }

    boolean isDifferent() {
        return !drift.isEmpty();
    }

    /** The difference in the format that hwloc-patch reads. */
    String xml() {
        if (!diff.isApplicable()) {
            throw CommandException.failure(
                    "cannot write the difference as XML: " + drift.get(0).newValue()
                            + ", which hwloc's format cannot express; leave --xml out to see all differences");
        }
        return diff.withReference(one.source()).toXml();
    }

    String text(int columns) {
        StringBuilder out = new StringBuilder();
        WordWrap.append(out, "A  ", one.source() + ": " + summary(one.topology()), columns);
        WordWrap.append(out, "B  ", other.source() + ": " + summary(other.topology()), columns);
        if (drift.isEmpty()) {
            out.append("No difference.\n");
        }
        for (Change change : drift) {
            WordWrap.append(out, "  ", line(change), columns);
        }
        if (!ofTheHost.isEmpty()) {
            String names = String.join(
                    ", ",
                    ofTheHost.stream()
                            .map(change -> String.valueOf(change.name()))
                            .distinct()
                            .toList());
            WordWrap.append(
                    out, "", "Not counted, since it differs on every host (" + names + "); --json lists it.", columns);
        }
        return out.toString();
    }

    private static String summary(Topology topology) {
        return Words.count(topology.count(ObjectType.PACKAGE), "package") + ", "
                + Words.count(topology.count(ObjectType.CORE), "core") + ", "
                + Words.count(topology.count(ObjectType.PU), "PU") + ", "
                + Words.count(topology.count(ObjectType.NUMA_NODE), "NUMA node");
    }

    private String line(Change change) {
        return object(change).orElse("object " + change.logicalIndex()) + ": "
                + switch (change.kind()) {
                    case SIZE -> "memory " + bytes(change.oldValue()) + " becomes " + bytes(change.newValue());
                    case NAME -> "name " + quoted(change.oldValue()) + " becomes " + quoted(change.newValue());
                    case INFO ->
                        change.name() + " " + quoted(change.oldValue()) + " becomes " + quoted(change.newValue());
                    case TOO_COMPLEX -> change.newValue() + "; objects below it are not compared";
                };
    }

    private static String bytes(@Nullable String value) {
        long bytes = Long.parseLong(String.valueOf(value));
        return Bytes.text(bytes) + " (" + bytes + " bytes)";
    }

    private static String quoted(@Nullable String text) {
        return text == null ? "(none)" : "\"" + text + "\"";
    }

    /**
     * {@code { "format": "berth-topology-diff", "version": 1, "a", "b": SOURCE, "different": BOOLEAN, "changes": [ {
     * "object", "depth", "logicalIndex", "kind": "size|name|info|too_complex", "name", "old", "new", "ofTheHost" } ] }}
     */
    String json() {
        return Json.of(Json.object()
                .with("format", "berth-topology-diff")
                .with("version", 1)
                .with("a", one.source())
                .with("b", other.source())
                .with("different", isDifferent())
                .withEach(
                        "changes",
                        diff.changes(),
                        change -> Json.object()
                                .with("object", object(change).orElse(""))
                                .with("depth", change.depth())
                                .with("logicalIndex", change.logicalIndex())
                                .with("kind", change.kind())
                                .with("name", Optional.ofNullable(change.name()))
                                .with("old", Optional.ofNullable(change.oldValue()))
                                .with("new", Optional.ofNullable(change.newValue()))
                                .with("ofTheHost", isOfTheHost(change.name()))));
    }

    private Optional<String> object(Change change) {
        return TopologyDiff.object(change, one.topology()).map(TopologyObject::toString);
    }
}
