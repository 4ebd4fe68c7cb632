package org.berth.cli.shared.arguments;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.berth.cli.shared.CommandException;
import org.berth.cli.shared.ForeignWords;
import org.berth.placement.DevicePolicy;
import org.berth.placement.MemoryMode;
import org.berth.placement.OrderedLevel;
import org.berth.placement.PlacementException;
import org.berth.placement.PlacementRequest;
import org.berth.topology.CpuSet;
import org.berth.topology.Topology;
import org.berth.topology.TopologyObject;
import org.berth.topology.type.ObjectType;

/** Values of options, checked against the machine; each usage error names the valid choices. */
public final class Arguments {
    /** The request on the CPUs and near the device that a user named, as {@link #allowedCpus} and {@link #device} check them. */
    public static PlacementRequest within(
            PlacementRequest request, Optional<CpuSet> cpus, Optional<String> near, Topology topology) {
        PlacementRequest on =
                cpus.map(set -> request.withCpus(allowedCpus(set, topology))).orElse(request);
        return near.map(name -> on.withNearDevice(device(name, topology))).orElse(on);
    }

    private static final int LISTED_DEVICES = 24;

    private Arguments() {}

    public static OrderedLevel level(String text) {
        return level("--level", text);
    }

    /** A level that is the value of this option, or one of its values. */
    public static OrderedLevel level(String option, String text) {
        try {
            return OrderedLevel.parse(text);
        } catch (PlacementException e) {
            throw CommandException.usage(option + ": " + e.getMessage() + ForeignWords.levelHint(text));
        }
    }

    public static DevicePolicy policy(String text) {
        try {
            return DevicePolicy.parse(text);
        } catch (PlacementException e) {
            throw CommandException.usage("--policy: " + e.getMessage());
        }
    }

    public static MemoryMode memoryMode(String text) {
        try {
            return MemoryMode.parse(text);
        } catch (PlacementException e) {
            throw CommandException.usage("--memory: " + e.getMessage());
        }
    }

    /** The value of {@code --cpus}, which may have an open end ("4-"); a relative one counts those that this process may use. */
    public static CpuSet cpus(String text) {
        if (KernelLists.isWord(text)) {
            return KernelLists.cpus("--cpus", text);
        }
        try {
            return CpuSet.parseList(text);
        } catch (IllegalArgumentException e) {
            throw CommandException.usage("--cpus " + text + ": " + e.getMessage() + "; write a list such as 0-3,8"
                    + ForeignWords.cpusHint(text));
        }
    }

    /** At least one CPU, all of them allowed; an open end reaches to the last one. */
    public static CpuSet allowedCpus(CpuSet text, Topology topology) {
        CpuSet allowed = topology.allowedCpuSet();
        CpuSet cpus = text.isInfinite() ? text.intersection(allowed) : text;
        if (cpus.isEmpty()) {
            throw CommandException.usage((text.isEmpty() || text.isInfinite() ? "--cpus" : "--cpus " + text)
                    + ": the list has no CPU; choose from " + allowed);
        }
        CpuSet outside = cpus.minus(allowed);
        if (outside.isEmpty()) {
            return cpus;
        }
        CpuSet absent = outside.minus(topology.cpuSet());
        String reason = outside.equals(absent)
                ? "there is no CPU " + outside + " here, or its cpuset hides it"
                : "this process may not use CPU " + outside;
        throw CommandException.usage("--cpus " + text + ": " + reason + "; choose from " + allowed);
    }

    /** A number from 1; the placement itself checks the upper limit. */
    public static int count(String option, String text) {
        int count = 0;
        try {
            count = Integer.parseInt(text);
        } catch (NumberFormatException notANumber) {
            // Reported below like any other wrong number.
        }
        if (count < 1) {
            throw CommandException.usage(option + " " + text + ": not a count; give a whole number, at least 1");
        }
        return count;
    }

    /** A number from 0 below a limit, which is at least 1. */
    public static int index(String option, String text, int limit) {
        try {
            int index = Integer.parseInt(text);
            if (index >= 0 && index < limit) {
                return index;
            }
        } catch (NumberFormatException notANumber) {
            // Reported below like any other wrong number.
        }
        throw CommandException.usage(option + " " + text + ": give a whole number from 0 to " + (limit - 1));
    }

    /** The device's own spelling of a name or PCI bus id that the machine knows. */
    public static String device(String name, Topology topology) {
        return device("--near " + name, name, topology);
    }

    /** The same; messages have the words that the user wrote. */
    public static String device(String words, String name, Topology topology) {
        if (topology.device(name).isPresent()) {
            return name;
        }
        List<String> known = devices(topology);
        if (known.isEmpty()) {
            throw CommandException.usage(words + ": unknown device; this machine has no device");
        }
        int shown = Math.min(known.size(), LISTED_DEVICES);
        String rest = known.size() > shown ? " and " + (known.size() - shown) + " more ('berth topo' lists all)" : "";
        throw CommandException.usage(
                words + ": unknown device; this machine has " + String.join(", ", known.subList(0, shown)) + rest);
    }

    /** Names of all OS devices, in the machine's order. */
    static List<String> devices(Topology topology) {
        List<String> names = new ArrayList<>();
        for (TopologyObject device : topology.objects(ObjectType.OS_DEVICE)) {
            device.name().ifPresent(names::add);
        }
        return names;
    }
}
