package org.berth.experiments;

import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;

/**
 * A setting of the kernel that has another value while it is switched, and its old one afterwards. What it was is noted
 * in a file first, so that after a crash the next start puts it back; the note lies where a restart of the machine, which
 * puts the setting back too, removes it.
 *
 * @param setting file below /proc/sys
 * @param value what to write
 * @param note file that holds the old value and who changed it, meanwhile
 */
public record KernelSwitch(Path setting, String value, Path note) {
    /** Automatic NUMA balancing on: the kernel moves pages and threads towards each other. */
    public static final KernelSwitch NUMA_BALANCING = new KernelSwitch(
            Path.of("/proc/sys/kernel/numa_balancing"), "1", Path.of("/run/berth-compare-numa_balancing"));

    /** Why this process cannot switch it; empty when it can. */
    public Optional<String> obstacle() {
        if (Files.notExists(setting)) {
            return Optional.of("this kernel has no " + setting);
        }
        if (!Files.isWritable(setting)) {
            return Optional.of(setting + " may not be written; run as root");
        }
        return Optional.empty();
    }

    /**
     * Whether it has that value already.
     *
     * @throws IOException when it cannot be read
     */
    public boolean isOn() throws IOException {
        return read().equals(value);
    }

    /**
     * Puts back what an experiment that was killed has left; empty when there was nothing to do.
     *
     * @return a line for the user
     * @throws IOException when another experiment that still runs has switched it, or it cannot be written
     */
    public Optional<String> restoreLeftOver() throws IOException {
        String[] words;
        try {
            words = read(note).strip().split(" ", -1);
        } catch (NoSuchFileException nothingLeft) {
            return Optional.empty();
        }
        if (words.length == 3 && isSame(words[1], words[2])) {
            throw new IOException("process " + words[1] + " is comparing with another value of " + setting);
        }
        if (!words[0].isEmpty()) {
            write(setting, words[0]);
        }
        Files.delete(note);
        return Optional.of(setting + " is " + read() + " again; an experiment that was killed had left another value");
    }

    /** A process number alone may have been reused by now. */
    private static boolean isSame(String pid, String started) {
        return ProcessHandle.of(Long.parseLong(pid))
                .filter(process -> started(process).equals(started))
                .isPresent();
    }

    private static String started(ProcessHandle process) {
        return Long.toString(
                process.info().startInstant().map(Instant::toEpochMilli).orElse(0L));
    }

    /** @throws IOException when it cannot be switched; it then has its old value */
    void on() throws IOException {
        String before = read();
        ProcessHandle self = ProcessHandle.current();
        write(note, before + " " + self.pid() + " " + started(self) + "\n");
        try {
            write(setting, value);
            if (!isOn()) {
                throw new IOException(setting + " is " + read() + " after " + value + " was written");
            }
        } catch (IOException e) {
            off();
            throw e;
        }
    }

    void off() throws IOException {
        String before = read(note).strip().split(" ", -1)[0];
        write(setting, before);
        Files.delete(note);
    }

    private String read() throws IOException {
        return read(setting).strip();
    }

    // Streams, since channels fail on a thread that was interrupted, which is when restoring matters most.

    private static String read(Path file) throws IOException {
        if (Files.notExists(file)) {
            throw new NoSuchFileException(file.toString());
        }
        try (FileInputStream in = new FileInputStream(file.toFile())) {
            return new String(in.readAllBytes(), StandardCharsets.US_ASCII);
        }
    }

    private static void write(Path file, String text) throws IOException {
        try (FileOutputStream out = new FileOutputStream(file.toFile())) {
            out.write(text.getBytes(StandardCharsets.US_ASCII));
        }
    }
}
