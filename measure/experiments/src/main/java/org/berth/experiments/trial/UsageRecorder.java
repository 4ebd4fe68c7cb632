package org.berth.experiments.trial;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.berth.experiments.KernelAccounting;

/**
 * Puts {@code berth-exec --usage} above a command and reads what it wrote. Only a parent that waits gets the kernel's complete account of its children; Java fetches its own children's exit codes without it, and samples of
 * /proc lose the last moments of each process.
 *
 * @param program berth-exec; empty leaves the command alone
 * @param file where the account goes
 */
record UsageRecorder(Optional<Path> program, Path file) {
    List<String> command(List<String> command) {
        if (program.isEmpty()) {
            return command;
        }
        List<String> words = new ArrayList<>(List.of(program.get().toString(), "--usage", file.toString(), "--"));
        words.addAll(command);
        return words;
    }

    /** Reads the account of the ended command and removes the file, whose content goes into the log of trials. */
    Optional<KernelAccounting> read(List<String> notes) {
        if (program.isEmpty()) {
            return Optional.empty();
        }
        // Not Files.readString, which fails on a thread that was interrupted.
        try (FileInputStream in = new FileInputStream(file.toFile())) {
            String text = new String(in.readAllBytes(), StandardCharsets.US_ASCII);
            Files.delete(file);
            if (text.isBlank()) {
                notes.add("CPU time and memory are not known: the run was ended by force");
                return Optional.empty();
            }
            return Optional.of(JsonLines.read(text, Account.class).accounting());
        } catch (IOException e) {
            notes.add("CPU time and memory are not known: cannot read " + file + ": " + e);
            return Optional.empty();
        }
    }

    /** The account in the form of berth-exec; see place/native/src/main/c/usage_recorder.c. */
    private record Account(
            long userMicros,
            long systemMicros,
            long peakRssBytes,
            long minorFaults,
            long majorFaults,
            long voluntarySwitches,
            long involuntarySwitches,
            @JsonProperty(required = true) Map<String, Long> counters,
            @JsonProperty(required = true) Map<String, String> missing) {
        KernelAccounting accounting() {
            return new KernelAccounting(
                    userMicros / 1e6,
                    systemMicros / 1e6,
                    peakRssBytes,
                    minorFaults,
                    majorFaults,
                    voluntarySwitches,
                    involuntarySwitches,
                    counters,
                    missing);
        }
    }
}
