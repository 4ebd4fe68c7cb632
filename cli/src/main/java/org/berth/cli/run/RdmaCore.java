package org.berth.cli.run;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The release of rdma-core that a library is of, by the file name of its librdmacm: {@code librdmacm.so.1.3.44.0} is of 44.0.
 *
 * @see <a href="https://github.com/linux-rdma/rdma-core/pull/1484">The fault of older releases</a>
 */
record RdmaCore(int major, int minor) {
    private static final Pattern FILE = Pattern.compile("librdmacm\\.so\\.1\\.\\d+\\.(\\d+)\\.(\\d+).*");

    /** The first release without the fault. */
    private static final int MENDED = 53;

    /** Stable releases of older ones that have no fault from this minor number on. */
    private static final Map<Integer, Integer> MENDED_LATER =
            Map.of(39, 9, 44, 7, 45, 6, 46, 5, 47, 4, 48, 3, 49, 3, 50, 2, 51, 2, 52, 1);

    /**
     * The release of the librdmacm that belongs to a library.
     *
     * @param library librspreload.so, in the folder of librdmacm.so.1 or in one below it
     * @return empty where the file name does not tell
     */
    static Optional<RdmaCore> of(Path library) {
        Path folder = library.toAbsolutePath().getParent();
        for (int level = 0; level < 2 && folder != null; level++) {
            try {
                String name = folder.resolve("librdmacm.so.1")
                        .toRealPath()
                        .getFileName()
                        .toString();
                Matcher release = FILE.matcher(name);
                return release.matches()
                        ? Optional.of(
                                new RdmaCore(Integer.parseInt(release.group(1)), Integer.parseInt(release.group(2))))
                        : Optional.empty();
            } catch (IOException notHere) {
                folder = folder.getParent();
            }
        }
        return Optional.empty();
    }

    /** Whether a process that listens at more than three sockets gets no connections after the fourth one. */
    boolean losesConnections() {
        return major < MENDED && minor < MENDED_LATER.getOrDefault(major, Integer.MAX_VALUE);
    }

    @Override
    public String toString() {
        return major + "." + minor;
    }
}
