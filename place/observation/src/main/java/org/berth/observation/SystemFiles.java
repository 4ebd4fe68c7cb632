package org.berth.observation;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import org.berth.topology.CpuSet;
import org.jspecify.annotations.Nullable;

/**
 * Small files of /proc and /sys below a root, named without the first slash. A file that is missing is {@link
 * Reading.Absent}
 * where its file system can be seen, and {@link Reading.Refused} where it is not mounted or something hides it.
 *
 * @param root {@code /}, or the top of a recorded machine
 * @since 0.1.0
 */
public record SystemFiles(Path root) {
    private static final String BOOT_ID = "proc/sys/kernel/random/boot_id";

    /** Those of this machine. */
    public static final SystemFiles LIVE = new SystemFiles(Path.of("/"));

    /** The text without blanks around it. */
    public Reading<String> read(String file) {
        return tried(file, path -> text(path).strip());
    }

    /** A thread that was interrupted reads, too: the interrupt would close the channel, and is kept for the caller. */
    static String text(Path path) throws IOException {
        boolean interrupted = Thread.interrupted();
        try {
            return new String(Files.readAllBytes(path), StandardCharsets.UTF_8);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** A whole number. */
    public Reading<Integer> number(String file) {
        return parsed(file, "a number", Integer::valueOf);
    }

    /** Names of a folder's entries, sorted. */
    public Reading<List<String>> names(String folder) {
        return tried(folder, SystemFiles::sortedNames);
    }

    private static List<String> sortedNames(Path folder) throws IOException {
        List<String> names = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
            entries.forEach(entry -> names.add(entry.getFileName().toString()));
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        names.sort(null);
        return names;
    }

    /** The target of a link, as it is written. */
    public Reading<String> link(String file) {
        return tried(file, path -> Files.readSymbolicLink(path).toString());
    }

    /** Whether there is such a file or folder that can be seen. */
    public boolean exists(String file) {
        try {
            return Files.exists(root.resolve(file));
        } catch (InvalidPathException noName) {
            return false;
        }
    }

    /** The target of a link of /sys, below the root as well. */
    public Reading<String> real(String file) {
        return tried(
                file, path -> root.toRealPath().relativize(path.toRealPath()).toString());
    }

    /** Names this boot of this host, the same in all of its containers. */
    public Reading<String> bootId() {
        return read(BOOT_ID);
    }

    /** The same as an identity. */
    public Reading<UUID> boot() {
        return parsed(BOOT_ID, "an identity", UUID::fromString);
    }

    /** A list of CPUs such as "0-3,8"; an empty one is absent. */
    public Reading<CpuSet> cpuList(String file) {
        return parsed(file, "a list of CPUs", CpuSet::parseList).flatMap(cpus -> unlessEmpty(file, cpus));
    }

    /** A mask of CPUs such as "00000000,0000000f"; an empty text is absent. */
    public Reading<CpuSet> cpuMask(String file) {
        return read(file)
                .flatMap(text -> text.isEmpty()
                        ? unlessEmpty(file, CpuSet.empty())
                        : parsed(file, "a mask of CPUs", CpuSet::parseMask));
    }

    /** The numbers behind a prefix in the names of a folder's entries: cpu0, cpu1, … */
    public Reading<List<Integer>> numbered(String folder, String prefix) {
        return names(folder)
                .map(names -> names.stream()
                        .filter(name -> name.startsWith(prefix)
                                && name.substring(prefix.length()).matches("\\d{1,9}"))
                        .map(name -> Integer.valueOf(name.substring(prefix.length())))
                        .sorted()
                        .toList());
    }

    /** The meaning of a text; a text without one is refused. */
    public <T> Reading<T> parsed(String file, String what, Function<String, T> parser) {
        return read(file).flatMap(text -> {
            try {
                return Reading.of(parser.apply(text));
            } catch (IllegalArgumentException other) {
                return Reading.refused(new Refusal("/" + file + " has '" + text + "', which is not " + what, ""));
            }
        });
    }

    private static Reading<CpuSet> unlessEmpty(String file, CpuSet cpus) {
        return cpus.isEmpty() ? Reading.absent("/" + file + " is empty") : Reading.of(cpus);
    }

    /** What may fail. */
    private interface Look<T> {
        T at(Path path) throws IOException;
    }

    private <T> Reading<T> tried(String file, Look<T> look) {
        try {
            return Reading.of(look.at(root.resolve(file)));
        } catch (NoSuchFileException | NotDirectoryException e) {
            return missing(file);
        } catch (FileSystemException e) {
            return failed(file, e, e.getReason());
        } catch (IOException e) {
            return failed(file, e, e.getMessage());
        } catch (InvalidPathException e) {
            // The name of a control group may have letters that the locale lacks.
            return Reading.refused(new Refusal(
                    "/" + file + " is not a file name in this locale: " + e.getReason(), "set LC_ALL=C.UTF-8"));
        }
    }

    /** ENOTDIR; and ESRCH of a process or thread that has ended since its folder or file was opened. */
    private <T> Reading<T> failed(String file, IOException cause, @Nullable String reason) {
        return "Not a directory".equals(reason) || "No such process".equals(reason)
                ? missing(file)
                : Reading.refused(Refusal.of(file, cause, root));
    }

    /**
     * The kernel leaves none of the folders of /sys and /proc empty that something is asked for in; what hides one,
     * does.
     */
    private <T> Reading<T> missing(String file) {
        String above = file;
        do {
            above = above.substring(0, Math.max(0, above.lastIndexOf('/')));
        } while (!above.isEmpty() && !Files.isDirectory(root.resolve(above)));
        boolean process = file.matches("proc/(self|\\d+)(/.*)?");
        boolean hidden = above.indexOf('/') < 0 || isEmpty(root.resolve(above));
        return process || !hidden
                ? Reading.absent("there is no /" + file)
                : Reading.refused(new Refusal(
                        "there is no /" + file + ", and /" + above + " is not as the kernel mounts it",
                        "mount the file system there, or run outside the container"));
    }

    private static boolean isEmpty(Path folder) {
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
            return !entries.iterator().hasNext();
        } catch (IOException | DirectoryIteratorException closed) {
            return false;
        }
    }
}
