package org.berth.cli.topo;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.berth.cli.shared.CommandException;
import org.berth.cli.shared.JsonOption;
import org.berth.cli.shared.OutputFile;
import org.berth.cli.shared.TargetMachine;
import org.berth.cli.shared.Terminal;
import org.berth.cli.shared.arguments.OptionRule;
import org.berth.cli.shared.arguments.OptionRules;
import org.berth.drawing.internal.interrupts.InterruptPicture;
import org.berth.drawing.internal.interrupts.InterruptSvg;
import org.berth.drawing.internal.text.Canvas;
import org.berth.drawing.machine.TopologyFacts;
import org.berth.drawing.machine.TopologyJson;
import org.berth.drawing.machine.TopologyPicture;
import org.berth.drawing.machine.TopologySvg;
import org.berth.observation.internal.devices.InterruptMap;
import org.berth.topology.Topology;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code berth topo}: shows a machine as a picture, or writes it in formats for programs. */
@Command(
        name = "topo",
        description =
                "Show the machine as a picture: packages, memory, caches, cores, PUs, devices, and the parts that this"
                        + " process may use.",
        footer = {
            "",
            "berth topo --input \"pack:2 l3:1 core:8 pu:2\"",
            "berth topo --svg machine.svg",
            "berth topo --interrupts --svg interrupts.svg",
            "ssh HOST berth topo --xml - | berth topo --input -",
            "ssh HOST berth topo --xml - | berth topo --diff live -"
        })
public final class TopoCommand implements Callable<Integer>, OptionRules {
    /** Not 1, the code for a failed comparison. */
    private static final int DIFFERENT = 3;

    private final Terminal terminal;

    @Option(
            names = "--input",
            paramLabel = "FILE|SYNTHETIC",
            description = "Another machine: hwloc XML ('-' reads standard input) or a synthetic description.")
    private Optional<String> input = Optional.empty();

    @Option(names = "--svg", paramLabel = "FILE", description = "Write an SVG picture; '-' is standard output.")
    private Optional<String> svg = Optional.empty();

    @Option(
            names = "--xml",
            paramLabel = "FILE",
            description = "Write hwloc 2 XML, which lstopo reads; '-' is standard output.")
    private Optional<String> xml = Optional.empty();

    @Option(
            names = "--whole",
            description = "Also show the parts that a control group hides from this process, marked as not allowed.")
    private boolean whole;

    @Option(
            names = "--diff",
            arity = "2",
            paramLabel = "MACHINE",
            description =
                    "Compare two machines (FILE, SYNTHETIC or 'live'), such as two hosts of a cluster; exit code 0"
                            + " when they are alike, otherwise 3. With --xml, write the difference for hwloc-patch.")
    private List<String> diff = List.of();

    @Option(
            names = "--interrupts",
            description = "Show which CPUs handle the interrupts of disks and network adapters; 'berth irq' lists all.")
    private boolean interrupts;

    @Mixin
    private JsonOption json = new JsonOption();

    @Option(names = "--ascii", description = "Draw with ASCII only (the default when the locale is not UTF-8).")
    private boolean ascii;

    public TopoCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public List<OptionRule> optionRules() {
        return List.of(
                OptionRule.excludes("--diff", "--input --svg --whole --interrupts", "--diff names both machines"),
                OptionRule.excludes("--whole", "--input", "--whole is for this machine"),
                OptionRule.excludes(
                        "--interrupts",
                        "--input --xml --json",
                        "--interrupts shows this machine, as text or by --svg; 'berth irq --json' lists all"));
    }

    @Override
    public Integer call() {
        refuseTwoOnStandardOutput();
        if (!diff.isEmpty()) {
            return compare();
        }
        if (interrupts) {
            return printInterrupts();
        }
        TargetMachine machine = whole ? TargetMachine.wholeLive() : TargetMachine.load(input);
        Topology topology = machine.topology();
        if (svg.isPresent()) {
            List<String> captions = new ProcessLimits().describe(machine);
            OutputFile.write(terminal, svg.get(), "the SVG picture", TopologySvg.render(topology, captions));
        }
        if (xml.isPresent()) {
            OutputFile.write(terminal, xml.get(), "the hwloc XML", machine.xml());
        }
        json.write(
                terminal,
                "the JSON",
                () -> TopologyJson.render(
                        topology, machine.source(), FreeMemory.of(machine).bytes()));
        if (!json.isGiven() && svg.isEmpty() && xml.isEmpty()) {
            print(machine);
        }
        return 0;
    }

    private int printInterrupts() {
        Topology topology = TargetMachine.wholeLive().topology();
        InterruptMap map = InterruptMap.read(Path.of("/"));
        map.unread()
                .ifPresent(refusal ->
                        terminal.err().println("berth: note: devices or interrupts may be missing: " + refusal));
        if (svg.isPresent()) {
            OutputFile.write(terminal, svg.get(), "the SVG picture", InterruptSvg.render(topology, map));
            return 0;
        }
        terminal.out().print(text(InterruptPicture.render(topology, map, terminal.columns())));
        return 0;
    }

    private int compare() {
        if (diff.size() != 2) {
            throw CommandException.usage("--diff compares two machines; give it once");
        }
        if (diff.equals(List.of("-", "-"))) {
            throw CommandException.usage(
                    "--diff - -: standard input holds one machine only; give a file for the other");
        }
        TopologyDrift drift = TopologyDrift.between(named(diff.get(0)), named(diff.get(1)));
        if (xml.isPresent()) {
            OutputFile.write(terminal, xml.get(), "the difference", drift.xml());
        }
        json.write(terminal, "the difference", drift::json);
        if (!json.isGiven() && xml.isEmpty()) {
            terminal.out().print(text(drift.text(terminal.columns())));
        }
        return drift.isDifferent() ? DIFFERENT : 0;
    }

    private static TargetMachine named(String name) {
        return TargetMachine.load(Optional.of(name).filter(text -> !text.equals("live")));
    }

    private void print(TargetMachine machine) {
        boolean utf8 = terminal.utf8() && !ascii;
        List<String> captions = new ProcessLimits().describe(machine);
        boolean hidden = !whole && captions.stream().anyMatch(line -> line.startsWith(ProcessLimits.BY_CPUSET));
        if (hidden) {
            captions.add("'berth topo --whole' also shows the hidden CPUs.");
        }
        terminal.out()
                .print(TopologyPicture.render(
                        machine.topology(), captions, terminal.columns(), utf8, terminal.colour()));
        if (!hidden) {
            terminal.out().print(text(TopologyFacts.absentCpus(machine.topology(), terminal.columns())));
        }
        terminal.out().print(text(TopologyFacts.render(machine.topology(), terminal.columns())));
        FreeMemory.of(machine).describe().forEach(terminal.out()::println);
    }

    private String text(String unicode) {
        return terminal.utf8() && !ascii ? unicode : Canvas.ascii(unicode);
    }

    private void refuseTwoOnStandardOutput() {
        int users = (json.takesOutput() ? 1 : 0)
                + (svg.filter(OutputFile.STANDARD_OUTPUT::equals).isPresent() ? 1 : 0)
                + (xml.filter(OutputFile.STANDARD_OUTPUT::equals).isPresent() ? 1 : 0);
        if (users > 1) {
            throw CommandException.usage(
                    "--json, --svg - and --xml - all write to standard output; give a file to all but one of them");
        }
    }
}
