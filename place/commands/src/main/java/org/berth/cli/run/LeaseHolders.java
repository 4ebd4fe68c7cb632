package org.berth.cli.run;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.LongStream;
import org.berth.binding.LeaseRecord;

/**
 * The processes and users behind leases, as the kernel knows them. A lease names the process that took it; a program that
 * is no JVM shares it with its children, which may outlive that process.
 */
final class LeaseHolders {
    private static final Path PROC = Path.of("/proc");
    private static final int HEAD_BYTES = 4096;

    private LeaseHolders() {}

    /**
     * The process of the lease while it lives, otherwise the lowest PID of those that hold its lock; empty when this user
     * may not see them.
     *
     * @param lease of this PID namespace
     */
    static OptionalLong find(LeaseRecord lease) {
        return lease.isHeldBy(lease.pid())
                ? OptionalLong.of(lease.pid())
                : numbers(PROC).filter(pid -> holds(pid, lease)).min();
    }

    private static boolean holds(long pid, LeaseRecord lease) {
        Path process = PROC.resolve(Long.toString(pid));
        return numbers(process.resolve("fd")).anyMatch(file -> isLock(process, file, lease));
    }

    /** Other processes may have the file open as well: only fdinfo tells which of them share its lock (flock(2)). */
    private static boolean isLock(Path process, long file, LeaseRecord lease) {
        Path link = process.resolve("fd").resolve(Long.toString(file));
        try {
            String name = String.valueOf(Files.readSymbolicLink(link).getFileName());
            if (!name.startsWith("lease-" + lease.pid() + "-") || !Files.isRegularFile(link)) {
                return false;
            }
            String info = Files.readString(process.resolve("fdinfo").resolve(Long.toString(file)));
            return info.contains("FLOCK")
                    && Integer.toUnsignedLong((Integer) Files.getAttribute(link, "unix:uid")) == lease.user()
                    && head(link)
                            .startsWith("berth-lease 1\npid " + lease.pid() + "\nstart " + lease.startTicks() + "\n");
        } catch (IOException | NumberFormatException endedOrClosed) {
            return false;
        }
    }

    private static String head(Path file) throws IOException {
        try (var in = Files.newInputStream(file)) {
            return new String(in.readNBytes(HEAD_BYTES), StandardCharsets.ISO_8859_1);
        }
    }

    /** The entries of a folder of /proc that are numbers; none of one that may not be read. */
    private static LongStream numbers(Path folder) {
        String[] names = folder.toFile().list();
        return names == null
                ? LongStream.empty()
                : List.of(names).stream()
                        .filter(name -> name.chars().allMatch(Character::isDigit))
                        .mapToLong(Long::parseLong);
    }

    /** Names of the users of leases, by number; a user without a name, as of a container, is left out. */
    static Map<Long, String> users(Path directory, List<LeaseRecord> leases) {
        Map<Long, String> names = new HashMap<>();
        long wanted = leases.stream().mapToLong(LeaseRecord::user).distinct().count();
        for (Path folder : List.of(directory, directory.resolve("boot-" + bootId()))) {
            try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "lease-*")) {
                for (Path file : files) {
                    owner(file).ifPresent(owner -> names.put(owner.getKey(), owner.getValue()));
                    if (names.size() >= wanted) {
                        break;
                    }
                }
            } catch (IOException | DirectoryIteratorException notThere) {
                // Users stay numbers.
            }
        }
        return names;
    }

    /** Java asks the user database for names only by a file. */
    private static Optional<Map.Entry<Long, String>> owner(Path file) {
        try {
            long user =
                    Integer.toUnsignedLong((Integer) Files.getAttribute(file, "unix:uid", LinkOption.NOFOLLOW_LINKS));
            return Optional.of(Map.entry(
                    user, Files.getOwner(file, LinkOption.NOFOLLOW_LINKS).getName()));
        } catch (IOException ended) {
            return Optional.empty();
        }
    }

    private static String bootId() {
        try {
            return Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip();
        } catch (IOException unknown) {
            return "unknown";
        }
    }
}
