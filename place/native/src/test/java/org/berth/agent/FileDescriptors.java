package org.berth.agent;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The targets of the open files of a process. */
final class FileDescriptors {
    private FileDescriptors() {}

    /** The paths without the numbers that differ each time. */
    static List<String> of(long pid) throws IOException {
        try (Stream<Path> files = Files.list(Path.of("/proc/" + pid + "/fd"))) {
            return files.map(FileDescriptors::target)
                    .map(target -> target.replaceAll("\\d+", "N"))
                    .sorted()
                    .toList();
        }
    }

    /** The number that the next one gets. */
    static int lowestFree(long pid) {
        int number = 0;
        while (Files.exists(Path.of("/proc/" + pid + "/fd/" + number), LinkOption.NOFOLLOW_LINKS)) {
            number++;
        }
        return number;
    }

    private static String target(Path link) {
        try {
            return Files.readSymbolicLink(link).toString();
        } catch (IOException gone) {
            return "gone";
        }
    }
}
