package org.berth.experiments;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The collector's logs of the JVMs of one run, one file for each. JAVA_TOOL_OPTIONS requests them, since the JVMs of a
 * command are unknown; such a JVM prints "Picked up …", and writes a line per pause. So it is off
 * unless wanted: measuring should not disturb a run.
 *
 * @param on whether it is wanted
 * @param stem of the files, which end with the pid and ".gc"
 */
public record GcLogs(boolean on, Path stem) {
    private static final String VARIABLE = "JAVA_TOOL_OPTIONS";

    /**
     * Generational collectors log "GC(3) Pause Young (...) 24M->3M(256M) 2.345ms"; all other phases run concurrently
     * with the work.
     */
    private static final Pattern PAUSE = Pattern.compile("\\bGC\\(\\d+\\) (?:[YyOo]: )?Pause .* ([0-9.]+)ms$");

    /** ZGC: a thread waited for memory; "GC(3) Allocation Stall (worker-1) 2.345ms", without "GC(3)" before JDK 21. */
    private static final Pattern STALL = Pattern.compile("\\bAllocation Stall \\(.*\\) ([0-9.]+)ms$");

    /**
     * What the logs of one run hold.
     *
     * @param pauses in which all threads stood still
     * @param stalls in which one thread waited for memory
     */
    public record Contents(PauseSummary pauses, PauseSummary stalls) {}

    /** @param inherited variables of this process, which those of a run are added to */
    void addTo(Map<String, String> environment, Map<String, String> inherited) {
        if (on) {
            String own = inherited.get(VARIABLE);
            if (own != null) {
                environment.putIfAbsent(VARIABLE, own);
            }
            // Of ZGC only the phases tell of pauses. The outer quotes are the JVM's, for spaces; the inner -Xlog's, for
            // colons.
            String word = "'-Xlog:gc,gc+phases:file=\"" + stem + "-%p.gc\"::filecount=0'";
            environment.merge(VARIABLE, word, (before, added) -> before + " " + added);
        }
    }

    /** Is empty when no log was wanted, and with a note when there is none. */
    public Optional<Contents> read(List<String> notes) {
        if (!on) {
            return Optional.empty();
        }
        List<Double> pauses = new ArrayList<>();
        List<Double> stalls = new ArrayList<>();
        int files = 0;
        Path folder = Objects.requireNonNull(stem.toAbsolutePath().getParent());
        String start = stem.getFileName() + "-";
        try (DirectoryStream<Path> logs =
                Files.newDirectoryStream(folder, file -> isOurs(String.valueOf(file.getFileName()), start))) {
            for (Path log : logs) {
                files++;
                for (String line : Files.readAllLines(log, StandardCharsets.ISO_8859_1)) {
                    find(PAUSE, line).ifPresent(pauses::add);
                    find(STALL, line).ifPresent(stalls::add);
                }
            }
        } catch (IOException e) {
            notes.add("cannot read the logs of the collector: " + e.getMessage());
            return Optional.empty();
        }
        if (files == 0) {
            notes.add("no JVM wrote a log of its collector");
            return Optional.empty();
        }
        return Optional.of(new Contents(summary(pauses), summary(stalls)));
    }

    private static PauseSummary summary(List<Double> millis) {
        return PauseSummary.of(millis.stream().mapToDouble(Double::doubleValue));
    }

    private static Optional<Double> find(Pattern pattern, String line) {
        Matcher matcher = pattern.matcher(line);
        return matcher.find() ? Optional.of(Double.parseDouble(matcher.group(1))) : Optional.empty();
    }

    private static boolean isOurs(String name, String start) {
        return name.startsWith(start) && name.endsWith(".gc");
    }
}
