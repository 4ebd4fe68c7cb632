package org.berth.cli.split;

import java.io.File;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.berth.cli.run.Launch;
import org.berth.cli.shared.CommandException;
import org.berth.cli.shared.IoErrors;
import org.berth.cli.shared.Signals;
import org.berth.cli.shared.Terminal;
import org.berth.observation.internal.process.CallerEnvironment;

/**
 * Starts the processes of a split and stays until all have ended. One thread decides; signals and ends reach it through a queue.
 *
 * <p>Each process has a keeper (keeper.h) as its parent, which ends all that the command started when this process ends, however
 * it does.
 */
final class Supervisor {
    private static final Duration LOOK = Duration.ofMillis(25);
    private static final Duration CALM_LOOK = Duration.ofSeconds(1);
    private static final Duration LAST_LINES = Duration.ofSeconds(2);

    private final SplitPlan plan;
    private final List<String> template;
    private final boolean javaLauncher;
    private final Settings settings;
    private final Terminal terminal;
    private final Runnable placed;
    private final List<SplitProcess> processes;
    private final LinkedBlockingQueue<Event> events = new LinkedBlockingQueue<>();
    private final OutputStream out = new FileOutputStream(FileDescriptor.out);
    private final OutputStream err = new FileOutputStream(FileDescriptor.err);
    private boolean stopping;

    /**
     * How the processes are supervised.
     *
     * @param logFolder for a file with the output of each; empty for lines with a prefix on standard output and error
     */
    record Settings(RestartPolicy restart, boolean failFast, Optional<Path> logFolder, boolean quiet) {}

    private sealed interface Event {}

    private record Came(Signals signal) implements Event {}

    private record Ended(Process process, int exitCode) implements Event {}

    private record BrokenOutput() implements Event {}

    /**
     * Starts nothing yet.
     *
     * @param placed called when each process has its place, or has ended
     */
    Supervisor(
            SplitPlan plan,
            List<String> template,
            boolean javaLauncher,
            Settings settings,
            Terminal terminal,
            Runnable placed) {
        this.placed = placed;
        this.plan = plan;
        this.template = template;
        this.javaLauncher = javaLauncher;
        this.settings = settings;
        this.terminal = terminal;
        this.processes =
                IntStream.range(0, plan.size()).mapToObj(SplitProcess::new).toList();
    }

    List<SplitProcess> processes() {
        return processes;
    }

    /** Returns the largest exit code of the processes when all have ended. */
    int run() {
        for (Signals signal : List.of(Signals.HUP, Signals.INT, Signals.TERM)) {
            Signals.listen(signal, came -> events.add(new Came(came)));
        }
        try {
            processes.forEach(this::start);
            while (processes.stream().anyMatch(process -> process.runs() || process.waits())) {
                boolean open = processes.stream().anyMatch(process -> process.hasOpenPlace() || process.waits());
                Event event = events.poll((open ? LOOK : CALM_LOOK).toMillis(), TimeUnit.MILLISECONDS);
                if (event != null) {
                    take(event);
                }
                lookAtPlaces();
                processes.stream().filter(SplitProcess::isDue).forEach(this::start);
            }
            return processes.stream().mapToInt(SplitProcess::exitCode).max().orElse(0);
        } catch (InterruptedException e) {
            throw new IllegalStateException("nothing interrupts the supervisor", e);
        }
    }

    private void start(SplitProcess process) {
        int index = process.index();
        Launch launch = plan.launch(index, template, javaLauncher);
        ProcessBuilder builder = CallerEnvironment.restore(new ProcessBuilder(launch.wordsKept()));
        builder.environment().putAll(launch.environment());
        settings.logFolder().ifPresent(folder -> {
            File file = folder.resolve(index + ".log").toFile();
            builder.redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.appendTo(file));
        });
        try {
            Process keeper = builder.start();
            process.started(keeper, settings.logFolder().isPresent() ? List.of() : forward(index, keeper));
            CompletableFuture<Void> unused =
                    keeper.onExit().thenAccept(ended -> events.add(new Ended(ended, ended.exitValue())));
        } catch (IOException e) {
            stop(Signals.TERM);
            throw CommandException.failure("cannot start process " + index + ": " + IoErrors.reason(e), e);
        }
    }

    private List<Thread> forward(int index, Process keeper) {
        String prefix = " "
                        .repeat(Integer.toString(plan.size() - 1).length()
                                - Integer.toString(index).length())
                + index + " | ";
        List<Thread> threads = List.of(
                new LineForwarder(prefix, keeper.getInputStream(), out, () -> events.add(new BrokenOutput())),
                new LineForwarder(prefix, keeper.getErrorStream(), err, () -> {}));
        threads.forEach(Thread::start);
        return threads;
    }

    private void take(Event event) throws InterruptedException {
        if (event instanceof Came came) {
            boolean again = stopping && came.signal() != Signals.HUP;
            say(
                    again
                            ? "SIG" + came.signal() + " again: killing all processes"
                            : "SIG" + came.signal() + ": passed on");
            stop(again ? Signals.KILL : came.signal());
        } else if (event instanceof BrokenOutput && !stopping) {
            say("standard output is closed: stopping all processes");
            stop(Signals.TERM);
        } else if (event instanceof Ended ended) {
            for (SplitProcess process : processes) {
                if (process.is(ended.process())) {
                    takeEnd(process, ended.exitCode());
                }
            }
        }
    }

    private void stop(Signals signal) {
        stopping = true;
        for (SplitProcess process : processes) {
            process.giveUpRestart();
            process.signal(signal);
        }
    }

    private void takeEnd(SplitProcess process, int exitCode) throws InterruptedException {
        process.awaitOutput(LAST_LINES);
        process.ended(exitCode);
        String line = process.index() + ": ended with exit code " + exitCode;
        if (!stopping && settings.restart().restarts(exitCode, process.restartsInRow())) {
            Duration pause = RestartPolicy.pause(process.restartsInRow());
            say(line + "; starts again in " + pause.toSeconds() + " s (restart " + (process.restartsInRow() + 1)
                    + " of " + settings.restart().limit() + ")");
            process.waitForRestart(pause);
        } else if (!stopping && exitCode != 0 && settings.failFast()) {
            say(line + "; stopping the others (--fail-fast)");
            stop(Signals.TERM);
        } else {
            say(line);
        }
    }

    private void lookAtPlaces() {
        List<SplitProcess> found = processes.stream()
                .filter(SplitProcess::hasOpenPlace)
                .filter(process -> process.readPlace().isPresent())
                .toList();
        if (processes.stream().noneMatch(SplitProcess::hasOpenPlace)) {
            placed.run();
        }
        found.forEach(process -> process.place().ifPresent(place -> report(process.index(), place)));
    }

    private void report(int index, Place place) {
        boolean kept = !plan.bound()
                || place.cpus().equals(plan.shape().parts().get(index).cpus());
        String memory = place.memory().isEmpty() ? "" : ", memory " + place.memory();
        if (!kept) {
            warn(index + ": PID " + place.pid() + " has CPUs " + place.cpus() + ", not "
                    + plan.shape().parts().get(index).cpus() + " as planned" + memory);
        } else {
            say(index + ": PID " + place.pid() + ", CPUs " + place.cpus() + memory);
        }
    }

    private void say(String line) {
        if (!settings.quiet()) {
            warn(line);
        }
    }

    private void warn(String line) {
        synchronized (err) {
            terminal.err().println("berth: " + line);
        }
    }
}
