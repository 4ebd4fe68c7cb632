package org.berth.uploads;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import jdk.jfr.consumer.RecordedClass;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedThread;
import jdk.jfr.consumer.RecordingFile;

/**
 * How long threads of the DataNodes waited, by the flight recorder of their JVMs, summed over threads.
 *
 * <ul>
 *   <li>For a lock that another thread held: {@code jdk.JavaMonitorEnter} (synchronized), and {@code jdk.ThreadPark} where
 *       the thread parked on the queue of a lock, that is, on a class of {@code java.util.concurrent.locks} other than a
 *       condition ({@code ReentrantLock$NonfairSync}, {@code ReentrantReadWriteLock$FairSync}, …). All threads.
 *   <li>To be notified: {@code jdk.JavaMonitorWait}, of the threads that work on blocks alone: a PacketResponder that waits
 *       for the next packet is idle, not hindered.
 * </ul>
 *
 * Without a threshold, so that short waits count too.
 */
final class LockWaits {
    private static final String SETTINGS = "lock-waits.jfc";
    private static final long PATIENCE_SECONDS = 120;

    private double lockSeconds;
    private double notifySeconds;

    /**
     * Options of a JVM that records its waits until it ends in order.
     *
     * @param folder empty; gets the settings, and a recording from each JVM
     */
    static List<String> jvmOptions(Path folder) throws IOException {
        try (InputStream settings = Objects.requireNonNull(LockWaits.class.getResourceAsStream(SETTINGS))) {
            Files.copy(settings, folder.resolve(SETTINGS));
        }
        return List.of(
                "-XX:FlightRecorderOptions=repository=" + folder.resolve("repository"),
                "-XX:StartFlightRecording=name=waits,dumponexit=true,maxsize=0,settings=" + folder.resolve(SETTINGS)
                        + ",filename=" + folder);
    }

    /** Ends the processes, and sums up what they recorded in each phase. */
    static List<LockWaits> ofEnded(List<ProcessHandle> processes, Path folder, List<UploadPhase> phases)
            throws IOException, InterruptedException {
        processes.forEach(ProcessHandle::destroy);
        List<LockWaits> waits = new ArrayList<>();
        phases.forEach(phase -> waits.add(new LockWaits()));
        for (ProcessHandle process : processes) {
            await(process);
            try (RecordingFile recording = new RecordingFile(file(folder, process.pid()))) {
                while (recording.hasMoreEvents()) {
                    RecordedEvent event = recording.readEvent();
                    for (int i = 0; i < waits.size(); i++) {
                        waits.get(i).add(event, phases.get(i));
                    }
                }
            }
        }
        return waits;
    }

    private static void await(ProcessHandle process) throws IOException, InterruptedException {
        try {
            process.onExit().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException | ExecutionException e) {
            throw new IOException("a DataNode did not end within " + PATIENCE_SECONDS + " s to write its recording", e);
        }
    }

    /** The JVM gives it a name with its process id. */
    private static Path file(Path folder, long pid) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(".jfr"))
                    .filter(file -> String.valueOf(file.getFileName()).contains("pid-" + pid + "-"))
                    .findFirst()
                    .orElseThrow(() -> new IOException("a DataNode left no flight recording in " + folder
                            + ": does its JVM have the flight recorder?"));
        }
    }

    private void add(RecordedEvent event, UploadPhase phase) {
        double seconds = seconds(event, phase.from(), phase.to());
        switch (event.getEventType().getName()) {
            case "jdk.JavaMonitorEnter" -> lockSeconds += seconds;
            case "jdk.ThreadPark" -> lockSeconds += isLock(event.getClass("parkedClass")) ? seconds : 0;
            case "jdk.JavaMonitorWait" -> notifySeconds += worksOnBlocks(event.getThread()) ? seconds : 0;
            default -> {
                // The recorder adds events about itself.
            }
        }
    }

    /** The part of it that lies between the two. */
    private static double seconds(RecordedEvent event, Instant from, Instant to) {
        Instant begin = event.getStartTime().isBefore(from) ? from : event.getStartTime();
        Instant end = event.getEndTime().isAfter(to) ? to : event.getEndTime();
        return Math.max(0, Duration.between(begin, end).toNanos() / 1e9);
    }

    static boolean isLock(RecordedClass parked) {
        return parked != null && isLock(parked.getName());
    }

    static boolean isLock(String parked) {
        return parked.startsWith("java.util.concurrent.locks.") && !parked.contains("Condition");
    }

    private static boolean worksOnBlocks(RecordedThread thread) {
        String name = thread == null ? null : thread.getJavaName();
        return name != null && (name.startsWith("DataXceiver for ") || name.startsWith("PacketResponder"));
    }

    /** Waits for locks, of all threads. */
    double lockSeconds() {
        return lockSeconds;
    }

    /** Waits to be notified, of threads that work on blocks. */
    double notifySeconds() {
        return notifySeconds;
    }

    void print(UploadPhase phase) {
        double gigabytes = phase.gigabytes();
        System.out.printf(
                Locale.ROOT,
                "berth-%s-datanode-lock-wait-seconds=%.6f%nberth-%1$s-datanode-lock-wait-seconds-per-gb=%.6f%n"
                        + "berth-%1$s-datanode-notify-wait-seconds-per-gb=%.6f%n",
                phase.name(),
                lockSeconds,
                lockSeconds / gigabytes,
                notifySeconds / gigabytes);
    }
}
