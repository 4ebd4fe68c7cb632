package org.berth.oracle;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A /proc/stat in which the CPUs that the test names are busy and all others idle, whatever this machine does: to be mounted over the
 * kernel's.
 */
public final class PlantedStat implements AutoCloseable {
    private static final int TICK_MILLIS = 10;

    private final Path file;
    private final List<Integer> cpus;
    private final long[] busy;
    private final Thread writer;
    private volatile Set<Integer> used = Set.of();
    private volatile boolean closed;

    private PlantedStat(Path file, List<Integer> cpus) {
        this.file = file;
        this.cpus = cpus;
        this.busy = new long[cpus.size()];
        this.writer = new Thread(this::run, "planted-stat");
        this.writer.setDaemon(true);
    }

    /** All of these CPUs are idle at first. */
    public static PlantedStat start(Path file, List<Integer> cpus) throws IOException {
        PlantedStat planted = new PlantedStat(file, cpus);
        planted.write(0);
        planted.writer.start();
        return planted;
    }

    /**
     * Words in front of a command that begins with CPUs and with mounts of its own: it sees this file as /proc/stat and no other process's
     * leases. Needs root.
     *
     * @param cpus that it may use; none leaves it those of the caller
     */
    public static List<String> withoutOthersLeases(Path file, int... cpus) {
        List<String> words = new ArrayList<>();
        if (cpus.length > 0) {
            String list = IntStream.of(cpus).mapToObj(Integer::toString).collect(Collectors.joining(","));
            words.addAll(List.of("taskset", "-c", list));
        }
        String mounts = "mount -t tmpfs none /dev/shm && mount -t tmpfs none /run && mount --bind '" + file
                + "' /proc/stat && unset BERTH_LEASES && exec \"$@\"";
        words.addAll(List.of("unshare", "-m", "sh", "-c", mounts, "sh"));
        return words;
    }

    /** From now on these are busy all the time. */
    public void use(Set<Integer> numbers) {
        used = Set.copyOf(numbers);
    }

    private void run() {
        long start = System.nanoTime();
        long before = 0;
        try {
            while (!closed) {
                Thread.sleep(TICK_MILLIS);
                long now = (System.nanoTime() - start) / (TICK_MILLIS * 1_000_000L);
                for (int i = 0; i < busy.length; i++) {
                    busy[i] += used.contains(cpus.get(i)) ? now - before : 0;
                }
                before = now;
                write(now);
            }
        } catch (IOException | InterruptedException e) {
            throw new AssertionError("cannot write " + file, e);
        }
    }

    /** In place and of one size: a mount shows the file, and readers see no half of it. */
    private void write(long now) throws IOException {
        StringBuilder text = new StringBuilder("cpu  0 0 0 0 0 0 0 0 0 0\n");
        for (int i = 0; i < busy.length; i++) {
            text.append(String.format("cpu%d %010d 0 0 %010d 0 0 0 0 0 0%n", cpus.get(i), busy[i], now - busy[i]));
        }
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.wrap(text.toString().getBytes(StandardCharsets.US_ASCII)), 0);
        }
    }

    @Override
    public void close() {
        closed = true;
        try {
            writer.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
