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
 * @param setting file below /proc/sys, /sys/kernel/mm or debugfs
 * @param value what to write
 * @param note file that holds the old value and who changed it, meanwhile
 */
public record KernelSwitch(Path setting, String value, Path note) {
    private static final Path NOTES = Path.of("/run");

    /**
     * A setting whose note is in /run.
     *
     * @param name of the setting, for the name of the note
     */
    public static KernelSwitch of(Path setting, String value, String name) {
        return new KernelSwitch(setting, value, NOTES.resolve("berth-compare-" + name));
    }

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
        return present().equals(value);
    }

    /**
     * The value that it has; of a file that lists all with the present one in brackets, that one.
     *
     * @throws IOException when it cannot be read
     */
    public String present() throws IOException {
        String text = read(setting).strip();
        int open = text.indexOf('[');
        int close = text.indexOf(']');
        return open >= 0 && close > open ? text.substring(open + 1, close) : text;
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
        return Optional.of(
                setting + " is " + present() + " again; an experiment that was killed had left another value");
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

    /**
     * Switches the setting on.
     *
     * @throws IOException when it cannot be switched; it then has its old value
     */
    public void on() throws IOException {
        String before = present();
        ProcessHandle self = ProcessHandle.current();
        write(note, before + " " + self.pid() + " " + started(self) + "\n");
        try {
            write(setting, value);
            if (!isOn()) {
                throw new IOException(setting + " is " + present() + " after " + value + " was written");
            }
        } catch (IOException e) {
            off();
            throw e;
        }
    }

    public void off() throws IOException {
        String before = read(note).strip().split(" ", -1)[0];
        write(setting, before);
        Files.delete(note);
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
