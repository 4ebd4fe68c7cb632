package org.berth.spark.executor;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.apache.spark.SparkConf;
import org.berth.binding.EdgeCounts;
import org.berth.binding.EdgeWatch;
import org.berth.observation.internal.PublicFiles;
import org.berth.placement.EdgeChange;
import org.berth.placement.EdgeRecording;
import org.berth.placement.EdgeSample;
import org.berth.placement.EdgeSettings;
import org.berth.spark.settings.AffinitySettings;
import org.berth.topology.CpuSet;
import org.jspecify.annotations.Nullable;

/**
 * Watches the edges of an executor's task slots: one line for the first edge that closes and the first that opens again,
 * counters afterwards. Thread-safe.
 */
final class EdgeControl implements AutoCloseable {
    private final TaskBinder tasks;
    private final Consumer<String> log;
    private final List<String> notes = new CopyOnWriteArrayList<>();
    private final @Nullable PrintStream recording;
    private volatile EdgeWatch watch;
    private volatile EdgeCounts former = EdgeCounts.NONE;

    /** Watches slots whose edges are all open; lines for the log go to {@code log}. */
    EdgeControl(TaskBinder tasks, SparkConf conf, Consumer<String> log) {
        this.tasks = tasks;
        this.log = log;
        this.recording = recording(conf.get(AffinitySettings.EDGE_RECORD, ""));
        this.watch = start();
    }

    private @Nullable PrintStream recording(String file) {
        try {
            return file.isEmpty()
                    ? null
                    : new PrintStream(
                            PublicFiles.replace(
                                    Path.of(file + "." + ProcessHandle.current().pid())),
                            false,
                            StandardCharsets.US_ASCII);
        } catch (IOException | InvalidPathException e) {
            notes.add(AffinitySettings.EDGE_RECORD + "=" + file + " cannot be written: " + e.getMessage());
            return null;
        }
    }

    private EdgeWatch start() {
        if (recording != null) {
            recording.println(EdgeRecording.header(tasks.groups()));
        }
        return EdgeWatch.start(EdgeSettings.defaults(), tasks, new Told(tasks.slots()));
    }

    private final class Told implements EdgeWatch.Listener {
        private final List<CpuSet> slots;
        private boolean opening;
        private boolean closing;

        Told(List<CpuSet> slots) {
            this.slots = slots;
            opening = former.openings() > 0;
            closing = former.closings() > 0;
        }

        @Override
        public void changed(EdgeChange change) {
            if (change.open() ? !opening : !closing) {
                opening |= change.open();
                closing |= !change.open();
                log.accept("the edge of task slot " + change.slot() + " (CPUs " + slots.get(change.slot()) + ") "
                        + (change.open() ? "opens again" : "closes") + ": its tasks " + change.reason()
                        + "; further ones are only counted");
            }
        }

        @Override
        public void failed(String reason) {
            String note = reason + "; " + AffinitySettings.EDGE + "=hard binds tasks to their slots all the same";
            notes.add(note);
            log.accept(note);
        }

        @Override
        public void sampled(EdgeSample sample) {
            if (recording != null) {
                recording.println(sample.toText());
            }
        }
    }

    /**
     * Lets the slots be replaced while nothing is watched.
     *
     * @param replacement leaves all edges open
     */
    void replace(Runnable replacement) {
        watch.close();
        former = counts();
        replacement.run();
        watch = start();
    }

    void taskStarted() {
        watch.wake();
    }

    EdgeCounts counts() {
        return former.plus(watch.counts());
    }

    /** Why edges do not follow the waiting of tasks, or are not recorded. */
    List<String> notes() {
        return List.copyOf(notes);
    }

    @Override
    public void close() {
        watch.close();
        if (recording != null) {
            recording.close();
        }
    }
}
