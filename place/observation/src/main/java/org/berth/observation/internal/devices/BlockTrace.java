package org.berth.observation.internal.devices;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.berth.observation.Reading;
import org.berth.observation.SystemFiles;
import org.berth.observation.internal.process.Mount;

/** From a path or block device down to the disks, by mountinfo and /sys. */
record BlockTrace(SystemFiles files) {
    /** Loop devices over files over loop devices: real ones end after three or four. */
    private static final int DEEPEST = 16;

    DeviceTrace ofPath(Path path) {
        List<DeviceTrace.Device> found = new ArrayList<>();
        String reason = addPath(path, List.of(), found, 0);
        return new DeviceTrace(path.toString(), found, found.isEmpty() ? reason : "");
    }

    DeviceTrace ofName(String name) {
        List<DeviceTrace.Device> found = new ArrayList<>();
        String reason = addName(name, List.of(), found, 0);
        return new DeviceTrace("block device " + name, found, found.isEmpty() ? reason : "");
    }

    /** Reason why nothing was found; empty on success. */
    private String addPath(Path path, List<String> above, List<DeviceTrace.Device> found, int depth) {
        return Mount.of(path, files)
                .fold(
                        mount -> addMount(mount, above, found, depth),
                        absent -> absent,
                        refusal -> "the mount of " + path + " is not known: " + refusal);
    }

    private String addMount(Mount mount, List<String> above, List<DeviceTrace.Device> found, int depth) {
        if (depth > DEEPEST) {
            return "more than " + DEEPEST + " layers on top of each other";
        }
        Reading<String> folder = files.real("sys/dev/block/" + mount.device());
        if (folder.orElse("").contains("/block/")) {
            return addFolder(folder.orElse(""), above, found, depth + 1);
        }
        // btrfs and overlayfs have a number that belongs to no device.
        Optional<String> upper = mount.option("upperdir");
        if (mount.type().equals("overlay") && upper.isPresent()) {
            return addPath(Path.of(upper.get()), above, found, depth + 1);
        }
        if (mount.source().startsWith("/dev/")) {
            List<String> together = mount.type().equals("btrfs") ? btrfs(blockName(mount.source())) : List.of();
            if (together.isEmpty()) {
                return addName(blockName(mount.source()), above, found, depth + 1);
            }
            together.forEach(name -> addName(name, above, found, depth + 1));
            return "";
        }
        return mount.point() + " is " + mount.type() + ", which lies on no disk that /sys shows";
    }

    private String addName(String name, List<String> above, List<DeviceTrace.Device> found, int depth) {
        return files.real("sys/class/block/" + name)
                .fold(
                        folder -> addFolder(folder, above, found, depth),
                        absent -> "there is no block device " + name + " in /sys/class/block",
                        refusal -> "the block device " + name + " is not known: " + refusal);
    }

    private String addFolder(String folder, List<String> above, List<DeviceTrace.Device> found, int depth) {
        if (depth > DEEPEST) {
            return "more than " + DEEPEST + " layers on top of each other";
        }
        String name = folder.substring(folder.lastIndexOf('/') + 1);
        List<String> layers = new ArrayList<>(above);
        layers.add(name);
        if (files.exists(folder + "/partition")) {
            return addFolder(folder.substring(0, folder.lastIndexOf('/')), layers, found, depth + 1);
        }
        List<String> slaves = files.names(folder + "/slaves").orElse(List.of());
        if (!slaves.isEmpty()) {
            String reason = "";
            for (String slave : slaves) {
                reason = addName(slave, layers, found, depth + 1);
            }
            return reason;
        }
        Optional<String> backing = files.read(folder + "/loop/backing_file").value();
        if (backing.isPresent()) {
            return addPath(Path.of(backing.get()), layers, found, depth + 1);
        }
        DeviceTrace.Device device = new DeviceTrace.Device(name, above);
        // Two logical volumes of one disk, or two partitions in one stripe set.
        if (found.stream().noneMatch(known -> known.name().equals(name))) {
            found.add(device);
        }
        return "";
    }

    /** "/dev/mapper/vg-data" is a link that a recorded tree does not have: the name is in /sys too. */
    private String blockName(String source) {
        String mapped = "/dev/mapper/";
        if (source.startsWith(mapped)) {
            String wanted = source.substring(mapped.length());
            for (int number : files.numbered("sys/class/block", "dm-").orElse(List.of())) {
                if (files.read("sys/class/block/dm-" + number + "/dm/name").equals(Reading.of(wanted))) {
                    return "dm-" + number;
                }
            }
        }
        return source.substring(source.lastIndexOf('/') + 1);
    }

    /** All devices of the btrfs that has this one. */
    private List<String> btrfs(String name) {
        for (String uuid : files.names("sys/fs/btrfs").orElse(List.of())) {
            List<String> devices =
                    files.names("sys/fs/btrfs/" + uuid + "/devices").orElse(List.of());
            if (devices.contains(name)) {
                return devices;
            }
        }
        return List.of();
    }
}
