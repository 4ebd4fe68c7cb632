package org.berth.cli.probe;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.berth.binding.LocalMachine;
import org.berth.cli.shared.CommandException;
import org.berth.cli.shared.JsonOption;
import org.berth.cli.shared.OutputFile;
import org.berth.cli.shared.StopSignal;
import org.berth.cli.shared.TargetMachine;
import org.berth.cli.shared.Terminal;
import org.berth.cli.shared.arguments.Arguments;
import org.berth.cli.shared.arguments.OptionRule;
import org.berth.cli.shared.arguments.OptionRules;
import org.berth.probes.MessageServer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code berth probe}: measures transfers of one thread on cores of each class. */
@Command(
        name = "probe",
        description = {
            "Measure transfers by one thread on a core of each affinity class in turn: 64 MB written to the disk"
                    + " without the page cache on [DS] [DC] [DM] [DN], 64 MB received from the network on [NS] [NC]"
                    + " [NM] [NN].",
            "The classes are those of 'berth plan --policy interrupt'; classes that this machine does not have are listed"
                    + " with the reason. The disk is that of a folder, where an unnamed file is written; the network peer is"
                    + " this host, or another host that runs 'berth probe --server'."
        },
        footer = {
            "",
            "berth probe --loopback --svg probes.svg",
            "berth probe --server 0.0.0.0:7070",
            "berth probe --peer HOST:7070 --csv probes.csv"
        })
public final class ProbeCommand implements Callable<Integer>, OptionRules {
    private final Terminal terminal;

    @Option(names = "--volume", paramLabel = "DIR", description = "Probe the disk that holds this folder.")
    private Optional<Path> volume = Optional.empty();

    @Option(
            names = "--disk",
            paramLabel = "cpu:LIST",
            description = "CPUs that handle the disk's interrupts, if the machine does not show them.")
    private Optional<String> disk = Optional.empty();

    @Option(
            names = "--loopback",
            description =
                    "Probe the network within this host: no adapter takes part, and the sending core stands for the"
                            + " core that handles interrupts.")
    private boolean loopback;

    @Option(
            names = "--peer",
            paramLabel = "HOST:PORT",
            description = "Probe the adapter of the route to a host that runs 'berth probe --server'.")
    private Optional<String> peer = Optional.empty();

    @Option(
            names = "--nic",
            paramLabel = "cpu:LIST",
            description = "CPUs that handle the adapter's interrupts, or that send on the loopback.")
    private Optional<String> nic = Optional.empty();

    @Option(
            names = "--server",
            paramLabel = "ADDRESS:PORT",
            description = "Only send messages to probes on other hosts, until stopped.")
    private Optional<String> server = Optional.empty();

    @Option(names = "--runs", paramLabel = "N", description = "Messages on each core that count; default: 20.")
    private Optional<String> runs = Optional.empty();

    @Option(names = "--size", paramLabel = "MB", description = "Size of each message, 1 to 1024; default: 64.")
    private Optional<String> size = Optional.empty();

    @Option(names = "--svg", paramLabel = "FILE", description = "Write a figure as SVG; - is standard output.")
    private Optional<Path> svg = Optional.empty();

    @Option(names = "--csv", paramLabel = "FILE", description = "Write all samples as CSV; - is standard output.")
    private Optional<Path> csv = Optional.empty();

    @Mixin
    private JsonOption json = new JsonOption();

    public ProbeCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public List<OptionRule> optionRules() {
        return List.of(
                OptionRule.excludes(
                        "--server",
                        "--volume --loopback --peer",
                        "--server only sends messages; run the probe on the other host"),
                OptionRule.excludes("--loopback", "--peer", ""),
                OptionRule.needs("--disk", "--volume", ""),
                OptionRule.needs("--nic", "--loopback --peer", ""));
    }

    @Override
    public Integer call() throws InterruptedException {
        check();
        ProbeRunner.Amount amount = new ProbeRunner.Amount(
                runs.map(text -> Arguments.count("--runs", text)).orElse(20),
                size.map(text -> Arguments.count("--size", text)).orElse(64));
        if (server.isPresent()) {
            return serve(address("--server", server.get()));
        }
        svg.ifPresent(file -> OutputFile.check(file.toString(), "the figure"));
        csv.ifPresent(file -> OutputFile.check(file.toString(), "the samples"));
        json.check("the results");
        List<ProbeResult> results = new ArrayList<>();
        try {
            ProbeRunner runner = new ProbeRunner(
                    TargetMachine.wholeLive().topology(), LocalMachine.open().binder(), amount);
            if (volume.isPresent()) {
                results.add(runner.disk(volume.get(), disk));
            }
            if (loopback) {
                results.add(runner.loopback(nic));
            }
            if (peer.isPresent()) {
                results.add(runner.peer(address("--peer", peer.get()), nic));
            }
        } catch (IOException e) {
            throw CommandException.failure(String.valueOf(e.getMessage()), e);
        }
        json.write(terminal, "the results", () -> ProbeJson.render(results), () -> text(results));
        svg.ifPresent(file -> OutputFile.write(terminal, file.toString(), "the figure", ProbeText.svg(results)));
        csv.ifPresent(file -> OutputFile.write(terminal, file.toString(), "the samples", ProbeText.csv(results)));
        return 0;
    }

    private String text(List<ProbeResult> results) {
        StringBuilder out = new StringBuilder();
        for (ProbeResult result : results) {
            out.append(out.isEmpty() ? "" : "\n").append(ProbeText.table(result, terminal.columns()));
        }
        return out.toString();
    }

    private void check() {
        if (server.isEmpty() && volume.isEmpty() && !loopback && peer.isEmpty()) {
            throw CommandException.usage(
                    "nothing to probe: give --volume DIR for a disk, or --loopback or --peer HOST:PORT for the network");
        }
        if (volume.isPresent() && !Files.isDirectory(volume.get())) {
            throw CommandException.usage("--volume " + volume.get() + ": no such folder");
        }
        if (size.isPresent() && Arguments.count("--size", size.get()) > ProbeRunner.MAX_MEGABYTES) {
            throw CommandException.usage("--size " + size.get() + ": at most " + ProbeRunner.MAX_MEGABYTES + " MB");
        }
    }

    private int serve(InetSocketAddress at) throws InterruptedException {
        try (StopSignal stop = StopSignal.install();
                MessageServer messages =
                        MessageServer.start(at, LocalMachine.open().binder(), Optional.empty())) {
            terminal.out().println("sending to probes that connect to " + messages.address() + ", until stopped (^C)");
            terminal.out().flush();
            while (!stop.stopped()) {
                stop.sleepUntil(System.nanoTime() + 3_600_000_000_000L);
            }
            stop.finished(0);
            return 0;
        } catch (IOException e) {
            throw CommandException.failure(String.valueOf(e.getMessage()), e);
        }
    }

    private static InetSocketAddress address(String option, String text) {
        int colon = text.lastIndexOf(':');
        int port = -1;
        try {
            port = Integer.parseInt(text.substring(colon + 1));
        } catch (NumberFormatException notANumber) {
            // Reported below as any other wrong number.
        }
        if (colon < 1 || port < 0 || port > 65535) {
            throw CommandException.usage(option + " " + text + ": write HOST:PORT, such as 10.0.0.7:7070");
        }
        InetSocketAddress address = new InetSocketAddress(text.substring(0, colon), port);
        if (address.isUnresolved()) {
            throw CommandException.usage(option + " " + text + ": unknown host; give its address");
        }
        return address;
    }
}
