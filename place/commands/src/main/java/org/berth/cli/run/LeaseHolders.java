package org.berth.cli.run;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.berth.binding.leases.LeaseRecord;
import org.berth.cli.shared.FileOwner;
import org.berth.observation.Reading;
import org.berth.observation.Refusal;
import org.berth.observation.SystemFiles;
import org.berth.observation.internal.process.ProcessFacts;

/**
 * The processes and users behind leases, as the kernel knows them. A lease names the process that took it; a program
 * that is no JVM shares it with its children, which may outlive that process.
 */
public final class LeaseHolders {
    private static final SystemFiles FILES = SystemFiles.LIVE;
    private static final int HEAD_BYTES = 4096;

    private LeaseHolders() {}

    /**
     * The process of the lease while it lives, otherwise the lowest PID of those that hold its lock; absent when there
     * is none, refused when it may be one that this user may not see.
     *
     * @param lease of this PID namespace
     */
    static Reading<Long> find(LeaseRecord lease) {
        if (lease.isHeldBy(lease.pid())) {
            return Reading.of(lease.pid());
        }
        Reading<Long> holder = Reading.absent("no process holds its lock");
        for (int pid : FILES.numbered("proc", "").orElse(List.of())) {
            Reading<Boolean> holds = holds(pid, lease);
            if (holds.orElse(false)) {
                return Reading.of((long) pid);
            }
            holder = holds.refusal().<Reading<Long>>map(Reading::refused).orElse(holder);
        }
        return FILES.exists("proc/1")
                ? holder
                : Reading.refused(new Refusal("/proc hides the processes of other users (hidepid)", "run as root"));
    }

    /**
     * The lease that a process has: it took it itself, or holds the lock of one, as what {@code berth run} has started.
     *
     * @param leases of this host
     */
    public static Optional<LeaseRecord> leaseOf(ProcessFacts process, List<LeaseRecord> leases) {
        if (leases.isEmpty()) {
            // A server may have thousands of open files.
            return Optional.empty();
        }
        return leases.stream()
                .filter(lease -> Long.toUnsignedString(lease.startTicks()).equals(process.startTime())
                        && lease.isHeldBy(process.pid()))
                .findFirst()
                .or(() -> locked((int) process.pid(), leases).orElse(Optional.empty()));
    }

    private static Reading<Boolean> holds(int pid, LeaseRecord lease) {
        return locked(pid, List.of(lease)).map(Optional::isPresent);
    }

    /**
     * The lease among these whose lock a process holds. A user who may list the files of a process may still not see which they
     * are.
     */
    private static Reading<Optional<LeaseRecord>> locked(int pid, List<LeaseRecord> leases) {
        String folder = "proc/" + pid + "/fd";
        return FILES.numbered(folder, "").flatMap(files -> {
            for (int file : files) {
                Reading<String> link = FILES.link(folder + "/" + file);
                if (link.refusal().isPresent()) {
                    return Reading.refused(link.refusal().get());
                }
                Optional<LeaseRecord> found = leases.stream()
                        .filter(lease -> isLock(pid, file, link.orElse(""), lease))
                        .findFirst();
                if (found.isPresent()) {
                    return Reading.of(found);
                }
            }
            return Reading.of(Optional.empty());
        });
    }

    /** Other processes may have the file open as well: only fdinfo tells which of them share its lock (flock(2)). */
    private static boolean isLock(int pid, int file, String target, LeaseRecord lease) {
        String process = "proc/" + pid + "/";
        Path link = FILES.root().resolve(process + "fd/" + file);
        try {
            String name = target.substring(target.lastIndexOf('/') + 1);
            return name.startsWith("lease-" + lease.pid() + "-")
                    && Files.isRegularFile(link)
                    && FILES.read(process + "fdinfo/" + file).orElse("").contains("FLOCK")
                    && Integer.toUnsignedLong((Integer) Files.getAttribute(link, "unix:uid")) == lease.user()
                    && head(link)
                            .startsWith("berth-lease 1\npid " + lease.pid() + "\nstart " + lease.startTicks() + "\n");
        } catch (IOException endedOrClosed) {
            return false;
        }
    }

    private static String head(Path file) throws IOException {
        try (var in = Files.newInputStream(file)) {
            return new String(in.readNBytes(HEAD_BYTES), StandardCharsets.ISO_8859_1);
        }
    }

    /** Names of the users of leases, by number; a user without a name, as of a container, is left out. */
    static Map<Long, String> users(Path directory, List<LeaseRecord> leases) {
        Map<Long, String> names = new HashMap<>();
        long wanted = leases.stream().mapToLong(LeaseRecord::user).distinct().count();
        for (Path folder :
                List.of(directory, directory.resolve("boot-" + FILES.bootId().orElse("unknown")))) {
            try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "lease-*")) {
                for (Path file : files) {
                    FileOwner.of(file).ifPresent(owner -> names.put(owner.user(), owner.name()));
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
}
