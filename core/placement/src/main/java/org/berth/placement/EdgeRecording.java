package org.berth.placement;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Samples of one process, by which the decisions of {@link SoftEdges} can be repeated.
 *
 * @param groups for each slot a number; slots with the same number have the same reach
 * @param samples oldest first
 * @since 0.1.0
 */
public record EdgeRecording(List<Integer> groups, List<EdgeSample> samples) {
    private static final String HEADER = "berth-edges 1";

    /** Copies the lists. */
    public EdgeRecording {
        groups = List.copyOf(groups);
        samples = List.copyOf(samples);
    }

    /**
     * A change of an edge, and when.
     *
     * @param nanos since the first sample
     * @since 0.1.0
     */
    public record Event(long nanos, EdgeChange change) {}

    /** The first lines of a recording; a line of {@link EdgeSample#toText} for each sample follows. */
    public static String header(List<Integer> groups) {
        return HEADER + "\n" + groups.stream().map(String::valueOf).collect(Collectors.joining(" ", "groups ", ""));
    }

    /**
     * Reads a recording; lines that begin with {@code #} are comments, and a last line that is cut off is left out.
     *
     * @throws IllegalArgumentException when it is something else
     */
    public static EdgeRecording parse(String text) {
        List<String> lines = text.lines()
                .filter(line -> !line.startsWith("#") && !line.isBlank())
                .toList();
        if (lines.size() < 2 || !lines.get(0).equals(HEADER) || !lines.get(1).startsWith("groups ")) {
            throw new IllegalArgumentException("no recording of edges: it begins with '" + HEADER + "' and 'groups …'");
        }
        List<Integer> groups = Arrays.stream(lines.get(1).split(" ", -1))
                .skip(1)
                .map(Integer::valueOf)
                .toList();
        int complete = text.endsWith("\n") ? lines.size() : lines.size() - 1;
        return new EdgeRecording(
                groups,
                lines.subList(2, Math.max(2, complete)).stream()
                        .map(EdgeSample::parse)
                        .toList());
    }

    /** What is decided by these samples. */
    public List<Event> replay(EdgeSettings settings) {
        List<Event> events = new ArrayList<>();
        if (samples.isEmpty()) {
            return events;
        }
        EdgeSample first = samples.get(0);
        SoftEdges edges = SoftEdges.start(settings, groups, first);
        for (EdgeSample sample : samples.subList(1, samples.size())) {
            SoftEdges.Step step = edges.step(sample);
            step.changes().forEach(change -> events.add(new Event(sample.timeNanos() - first.timeNanos(), change)));
            edges = step.next();
        }
        return events;
    }
}
