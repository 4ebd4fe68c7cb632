package org.berth.machines;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.stream.Stream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorInputStream;

/** Unpacks recorded sysfs trees; one shutdown hook deletes them all. */
final class MachineTree {
    private static final Deque<Path> UNPACKED = new ArrayDeque<>();

    private MachineTree() {}

    static Path unpack(InputStream archive) throws IOException {
        Path folder = Files.createTempDirectory(fastestRoot(), "berth-machine-");
        deleteAtExit(folder);
        try (TarArchiveInputStream tar = new TarArchiveInputStream(new BZip2CompressorInputStream(archive, true))) {
            for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
                unpack(tar, entry, folder);
            }
        }
        try (Stream<Path> roots = Files.list(folder)) {
            List<Path> tops = roots.toList();
            if (tops.size() != 1) {
                throw new IOException("one folder expected at the top of the archive, found " + tops);
            }
            return tops.get(0);
        }
    }

    /** Memory where there is some: the trees have up to 15,000 files, which take seconds on a disk. */
    private static Path fastestRoot() {
        Path memory = Path.of("/dev/shm");
        return Files.isWritable(memory) ? memory : Path.of(System.getProperty("java.io.tmpdir"));
    }

    private static void unpack(TarArchiveInputStream tar, TarArchiveEntry entry, Path folder) throws IOException {
        Path target = folder.resolve(entry.getName()).normalize();
        if (!target.startsWith(folder)) {
            throw new IOException("entry outside the archive: " + entry.getName());
        }
        if (entry.isDirectory()) {
            Files.createDirectories(target);
            return;
        }
        Path parent = target.getParent();
        if (parent != null) {
            Files.createDirectories(parent);
        }
        if (entry.isSymbolicLink()) {
            Files.createSymbolicLink(target, Path.of(entry.getLinkName()));
        } else if (entry.isLink()) {
            Files.createLink(target, folder.resolve(entry.getLinkName()));
        } else {
            Files.copy(tar, target);
        }
    }

    private static synchronized void deleteAtExit(Path folder) {
        if (UNPACKED.isEmpty()) {
            Runtime.getRuntime().addShutdownHook(new Thread(MachineTree::deleteAll, "berth-machines-cleanup"));
        }
        UNPACKED.add(folder);
    }

    private static synchronized void deleteAll() {
        for (Path folder : UNPACKED) {
            try (Stream<Path> paths = Files.walk(folder)) {
                for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                    Files.deleteIfExists(path);
                }
            } catch (IOException e) {
                throw new UncheckedIOException("cannot delete " + folder, e);
            }
        }
    }
}
