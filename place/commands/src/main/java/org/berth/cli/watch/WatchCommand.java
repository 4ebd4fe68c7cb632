package org.berth.cli.watch;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.berth.cli.shared.CommandException;
import org.berth.cli.shared.JsonOption;
import org.berth.cli.shared.OutputFile;
import org.berth.cli.shared.StopSignal;
import org.berth.cli.shared.TargetMachine;
import org.berth.cli.shared.Terminal;
import org.berth.cli.shared.jvm.HugePageWords;
import org.berth.cli.shared.jvm.Jcmd;
import org.berth.cli.shared.jvm.JvmHeap;
import org.berth.cli.shared.jvm.ThreadNames;
import org.berth.drawing.timeline.ThreadSummary;
import org.berth.drawing.timeline.Timeline;
import org.berth.drawing.timeline.TimelineSvg;
import org.berth.drawing.timeline.TimelineText;
import org.berth.observation.NoSuchProcessException;
import org.berth.observation.ObservationException;
import org.berth.observation.Reading;
import org.berth.observation.Refusal;
import org.berth.observation.ThreadSampler;
import org.berth.observation.internal.kernel.HugePages;
import org.berth.observation.internal.process.ProcessFacts;
import org.berth.observation.internal.threads.ThreadNamePattern;
import org.berth.observation.memory.HeapMemory;
import org.berth.text.WordWrap;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code berth watch}: samples the CPUs of a process' threads, live and over time. */
@Command(
        name = "watch",
        description = {
            "Show on which CPUs the threads of a process run, live and as a picture at the end.",
            "The watch ends with the process, after --duration, or on q or ^C. A command inherits standard input and output,"
                    + " and the watch exits with its exit code. The watch then writes to standard error only, and shows"
                    + " a live table only with --live, because both would write to one terminal."
        },
        footer = {
            "",
            "berth watch --duration 2 PID",
            "berth watch --svg before.svg -- java -jar app.jar",
            "berth watch --duration 2 --threads 'worker-*' --json samples.json PID"
        })
public final class WatchCommand implements Callable<Integer> {
    private static final Path ROOT = Path.of("/");
    private static final int PICTURE_ROWS = 24;
    private static final String PICTURE = "the picture";
    private static final String SEEN = "the samples";
    private static final long LIVE_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final int LONGEST_INTERVAL_MILLIS = 60_000;

    @Option(
            names = "--interval",
            paramLabel = "MS",
            defaultValue = "50",
            description = "Milliseconds between two samples of the threads; default: ${DEFAULT-VALUE}.")
    private int intervalMillis = 50;

    @Option(names = "--duration", paramLabel = "S", description = "Seconds after which the watch ends.")
    private Optional<Double> durationSeconds = Optional.empty();

    @Option(
            names = "--svg",
            paramLabel = "FILE",
            description =
                    "Write the picture as SVG: time to the right, a row for each CPU, or core, L3 cache or node of many.")
    private Optional<Path> svg = Optional.empty();

    @Mixin
    private JsonOption json = new JsonOption();

    @Option(
            names = "--threads",
            paramLabel = "GLOB",
            defaultValue = "*",
            description = "Only threads whose name may match (* and ?); the kernel keeps 15 bytes of a name.")
    private String threads = "*";

    @Option(names = "--live", negatable = true, description = "Show a live table, or none; default: only for a PID.")
    private Optional<Boolean> live = Optional.empty();

    @Parameters(
            arity = "1..*",
            paramLabel = "PID | -- COMMAND",
            description = "A running process, or a command to start.")
    private List<String> target = new ArrayList<>();

    private final Terminal terminal;

    public WatchCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        checkOptions();
        WatchRecord record = new WatchRecord(TargetMachine.live().topology(), ThreadNamePattern.of(threads));
        try (StopSignal stop = StopSignal.install()) {
            WatchTarget process = WatchTarget.of(target);
            PrintWriter out =
                    process.isChild() ? terminal.err() : json.text(terminal).out();
            LiveView view = liveView(process, out);
            try {
                watch(process, record, view, stop);
            } finally {
                view.clear();
            }
            if (stop.stopped()) {
                process.end();
            }
            report(process, record, out);
            terminal.out().flush();
            int exitCode = process.exitCode();
            stop.finished(exitCode);
            return exitCode;
        } catch (ObservationException e) {
            throw CommandException.failure("cannot watch: " + e.getMessage(), e);
        }
    }

    private void checkOptions() {
        if (intervalMillis < 1 || intervalMillis > LONGEST_INTERVAL_MILLIS) {
            throw CommandException.usage(
                    "--interval " + intervalMillis + ": give 1 to " + LONGEST_INTERVAL_MILLIS + " milliseconds");
        }
        if (durationSeconds.isPresent() && !(durationSeconds.get() > 0)) {
            throw CommandException.usage("--duration " + durationSeconds.get() + ": give a number of seconds above 0");
        }
        svg.ifPresent(file -> OutputFile.check(file.toString(), PICTURE));
        json.check(SEEN);
    }

    private LiveView liveView(WatchTarget process, PrintWriter out) {
        boolean wanted = live.orElse(!process.isChild());
        if (!wanted) {
            return LiveView.none();
        }
        if (!terminal.interactive()) {
            return LiveView.lines(out);
        }
        // The command has standard input.
        LiveKeys keys = process.isChild() || !Terminal.hasKeys() ? LiveKeys.none() : LiveKeys.open();
        LiveNames names =
                new LiveNames(() -> ofJvm(process, WatchCommand::completeNames).orElse(Map.of()));
        return new LiveScreen(out, terminal::size, terminal.colour(), keys, names);
    }

    private void watch(WatchTarget process, WatchRecord record, LiveView view, StopSignal stop)
            throws InterruptedException {
        long intervalNanos = TimeUnit.MILLISECONDS.toNanos(intervalMillis);
        try (ThreadSampler sampler = ThreadSampler.of(process.pid())) {
            long next = System.nanoTime();
            long nextView = next + LIVE_NANOS;
            while (!stop.stopped() && !view.ended() && !ranOut(record)) {
                record.add(sampler.sample());
                if (System.nanoTime() >= nextView) {
                    view.show(process, record);
                    nextView += LIVE_NANOS;
                }
                // A late sample moves the later ones: catching up would make samples that show nothing new.
                next = Math.max(next + intervalNanos, System.nanoTime() + intervalNanos / 2);
                stop.sleepUntil(next);
            }
        } catch (NoSuchProcessException ended) {
            if (record.samples() == 0 && !process.isChild()) {
                throw ended;
            }
        }
    }

    private boolean ranOut(WatchRecord record) {
        return durationSeconds.isPresent() && record.samples() > 0 && record.seconds() >= durationSeconds.get();
    }

    private void report(WatchTarget process, WatchRecord record, PrintWriter out) throws IOException {
        Reading<Map<Integer, String>> names = ofJvm(process, WatchCommand::completeNames);
        List<ThreadSummary> summaries = record.summaries(names.orElse(Map.of()));
        String title =
                record.title(process.pid()) + String.format(Locale.ROOT, ", watched for %.1f s", record.seconds());
        if (summaries.isEmpty() && record.allowed().isEmpty() && record.samples() > 0) {
            out.println("berth: " + title + ": no thread has a name that may match --threads '" + threads
                    + "'; 'berth watch " + process.pid() + "' shows all");
        } else if (summaries.isEmpty()) {
            out.println("berth: " + title + ": no thread used CPU time between two samples; try a shorter --interval");
        } else {
            out.println(title);
            out.println();
            TimelineText.Style style =
                    new TimelineText.Style(terminal.columns(), PICTURE_ROWS, terminal.colour(), terminal.utf8());
            TimelineText.render(summaries, record.startNanos(), record.endNanos(), record.cpus(), style)
                    .forEach(out::println);
            WatchRecord.describe(record.migrations()).stream()
                    .flatMap(line -> WordWrap.wrap(line, terminal.lineColumns()).stream())
                    .forEach(out::println);
        }
        names.refusal()
                .map(refusal -> "Names have the 15 bytes that the kernel keeps; the complete ones are "
                        + notKnown(refusal) + ".")
                .ifPresent(line -> WordWrap.wrap(line, terminal.lineColumns()).forEach(out::println));
        Reading<HeapMemory> heap = ofJvm(process, JvmHeap::ask);
        heap.fold(
                        found -> Optional.of("At the end " + HugePageWords.heap(found) + "; transparent huge pages: "
                                + HugePages.read(ROOT)
                                        .transparent()
                                        .fold(mode -> mode, absent -> "not in this kernel", WatchCommand::notKnown)
                                + "."),
                        noJvm -> Optional.<String>empty(),
                        refusal -> Optional.of("The location of its heap is " + notKnown(refusal) + "."))
                .ifPresent(line -> WordWrap.wrap(line, terminal.lineColumns()).forEach(out::println));
        if (svg.isPresent()) {
            write(svg.get(), PICTURE, svg(title, record, summaries), out);
        }
        json.write(terminal, SEEN, () -> WatchJson.render(process, record, summaries, names, heap));
        if (json.isGiven() && !json.takesOutput()) {
            out.println("Wrote " + SEEN + " to " + json.target() + ".");
        }
    }

    private static Reading<Map<Integer, String>> completeNames(ProcessFacts jvm) {
        ThreadNames names = ThreadNames.of(jvm, Jcmd.find());
        return names.missing().isEmpty()
                ? Reading.of(names.complete())
                : Reading.refused(new Refusal(names.missing(), ""));
    }

    private static String notKnown(Refusal refusal) {
        return "not known: " + refusal;
    }

    /** Absent for a process that has ended or is no JVM. */
    private static <T> Reading<T> ofJvm(WatchTarget process, Function<ProcessFacts, Reading<T>> question) {
        try {
            return process.facts()
                    .flatMap(facts -> facts.javaMachine()
                            .flatMap(jvm -> jvm
                                    ? question.apply(facts)
                                    : Reading.absent("process " + process.pid() + " is not a JVM")));
        } catch (NoSuchProcessException ended) {
            return Reading.absent(String.valueOf(ended.getMessage()));
        } catch (ObservationException e) {
            return Reading.refused(new Refusal(String.valueOf(e.getMessage()), ""));
        }
    }

    private String svg(String title, WatchRecord record, List<ThreadSummary> summaries) {
        return TimelineSvg.render(new Timeline(
                title,
                String.join(" ", WatchRecord.describe(record.migrations())),
                summaries,
                record.startNanos(),
                record.endNanos(),
                TimeUnit.MILLISECONDS.toNanos(intervalMillis),
                record.cpus(),
                record.allowed()));
    }

    private void write(Path file, String what, String text, PrintWriter out) {
        OutputFile.write(terminal, file.toString(), what, text);
        if (!file.toString().equals(OutputFile.STANDARD_OUTPUT)) {
            out.println("Wrote " + what + " to " + file + ".");
        }
    }
}
