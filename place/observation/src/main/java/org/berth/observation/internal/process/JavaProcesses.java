package org.berth.observation.internal.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.berth.observation.NoSuchProcessException;
import org.berth.observation.Reading;
import org.berth.observation.Refusal;
import org.berth.observation.SystemFiles;

/**
 * Which processes are JVMs: those that map libjvm.so, whatever their launcher is called. No JVM is asked. Thread-safe: it has no
 * state.
 *
 * @since 0.1.0
 */
public final class JavaProcesses {
    private JavaProcesses() {}

    /**
     * The ids of all JVMs that this user may see. The maps of other users' processes may not be read: among those, the ones whose
     * program is called java count.
     *
     * @param root the folder with {@code proc} in it
     */
    public static List<Long> of(Path root) {
        Path proc = root.resolve("proc");
        List<Long> found = new ArrayList<>();
        for (int pid : new SystemFiles(root).numbered("proc", "").orElse(List.of())) {
            Path process = proc.resolve(Integer.toString(pid));
            try {
                Path living = LivingThread.of(pid, process);
                if (mapsJvm(process, living).fold(maps -> maps, absent -> false, refusal -> isCalledJava(living))) {
                    found.add((long) pid);
                }
            } catch (NoSuchProcessException ended) {
                // Processes come and go.
            }
        }
        return found;
    }

    /**
     * Whether a process maps libjvm.so; refused when its maps may not be read. Names of mapped files may be in any encoding.
     *
     * @param living the process, or a living thread of it
     */
    static Reading<Boolean> mapsJvm(Path process, Path living) {
        Path maps = living.resolve("maps");
        // By lines: another user's process may have maps of hundreds of megabytes.
        try (BufferedReader lines = Files.newBufferedReader(maps, StandardCharsets.ISO_8859_1)) {
            boolean found = false;
            for (String line = lines.readLine(); line != null && !found; line = lines.readLine()) {
                found = line.contains("/libjvm.so");
            }
            return Reading.of(found);
        } catch (IOException unreadable) {
            return Reading.refused(Refusal.of(maps, process));
        }
    }

    private static boolean isCalledJava(Path process) {
        try {
            List<String> words = ProcessArguments.of(process);
            return !words.isEmpty() && words.get(0).matches("(.*/)?java");
        } catch (IOException ended) {
            return false;
        }
    }
}
