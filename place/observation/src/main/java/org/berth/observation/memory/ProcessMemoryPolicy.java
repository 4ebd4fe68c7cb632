package org.berth.observation.memory;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.berth.observation.Reading;
import org.berth.observation.Refusal;

/**
 * The memory policy of a process, as set by {@code numactl}: that of its leader thread, which the commands that it starts inherit, in
 * the words of numa_maps(5). Other threads, and single mappings, may have their own. Thread-safe.
 *
 * @since 0.1.0
 */
public final class ProcessMemoryPolicy {
    /** Words for no policy: memory comes from the node of the thread. */
    public static final List<String> NONE = List.of("default", "local");

    /** Two of the kernel's words have a blank in them (policy_modes in mm/mempolicy.c). */
    private static final Pattern LINE =
            Pattern.compile("[0-9a-f]+ ((?:prefer \\(many\\)|weighted interleave)\\S*|\\S+)(?: .*)?");

    private ProcessMemoryPolicy() {}

    /** "interleave:0-1", which this process has inherited; empty for the kernel's default, and on a kernel without memory policies. */
    public static Optional<String> inherited(Path root) {
        return read(root.resolve("proc/self")).value().filter(policy -> !NONE.contains(policy));
    }

    /**
     * "interleave:0-1" or "default"; absent on a kernel without memory policies and for a process without memory, refused for one of
     * another user.
     *
     * @param root the folder with {@code proc} in it
     */
    public static Reading<String> of(long pid, Path root) {
        return read(root.resolve("proc").resolve(Long.toString(pid)));
    }

    /** Mappings without a policy of their own show that of the process; the first one is the program's file. */
    private static Reading<String> read(Path process) {
        Path file = process.resolve("numa_maps");
        // The kernel walks the pages of the mappings that are read, so that one line costs little.
        try (BufferedReader maps = Files.newBufferedReader(file, StandardCharsets.ISO_8859_1)) {
            Matcher line = LINE.matcher(String.valueOf(maps.readLine()));
            return line.matches() ? Reading.of(line.group(1)) : Reading.absent(file + " has no mapping");
        } catch (NoSuchFileException notThere) {
            return Reading.absent("there is no " + file);
        } catch (IOException unreadable) {
            return Reading.refused(Refusal.of(file, process));
        }
    }
}
