package org.berth.hdfs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.BitSet;
import java.util.Locale;

/** A proc/stat that says what a test wants, whatever runs here: its counters go on as the kernel's would. */
final class PlantedLoad implements AutoCloseable {
    private static final int TICKS = 1;

    private final BitSet cpus;
    private final FileChannel stat;
    private final long[] busyTicks;
    private final long[] idleTicks;
    private final Thread clock = new Thread(this::run, "planted load");
    private volatile BitSet busy = new BitSet();

    PlantedLoad(Path root, BitSet cpus) throws IOException {
        this.cpus = cpus;
        this.busyTicks = new long[cpus.length()];
        this.idleTicks = new long[cpus.length()];
        Path proc = Files.createDirectories(root.resolve("proc"));
        this.stat = FileChannel.open(proc.resolve("stat"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        write();
        clock.start();
    }

    void setBusy(BitSet now) {
        busy = (BitSet) now.clone();
    }

    private void run() {
        try {
            while (true) {
                Thread.sleep(5);
                BitSet now = busy;
                cpus.stream().forEach(cpu -> (now.get(cpu) ? busyTicks : idleTicks)[cpu] += TICKS);
                write();
            }
        } catch (InterruptedException stopped) {
            // By close.
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Numbers of one width, so that the file can be written in place while others have it open. */
    private void write() throws IOException {
        StringBuilder text = new StringBuilder();
        cpus.stream()
                .forEach(cpu -> text.append(String.format(
                        Locale.ROOT, "cpu%d %012d 0 0 %012d 0 0 0 0 0 0\n", cpu, busyTicks[cpu], idleTicks[cpu])));
        stat.write(ByteBuffer.wrap(text.toString().getBytes(StandardCharsets.US_ASCII)), 0);
    }

    @Override
    public void close() throws IOException {
        clock.interrupt();
        try {
            clock.join();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        stat.close();
    }
}
