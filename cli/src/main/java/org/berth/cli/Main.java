package org.berth.cli;

import java.io.PrintWriter;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.berth.cli.bind.BindCommand;
import org.berth.cli.bind.UnbindCommand;
import org.berth.cli.compare.CompareCommand;
import org.berth.cli.doctor.DoctorCommand;
import org.berth.cli.irq.IrqCommand;
import org.berth.cli.mapreduce.MapReduceCommand;
import org.berth.cli.plan.PlanCommand;
import org.berth.cli.probe.ProbeCommand;
import org.berth.cli.run.LeasesCommand;
import org.berth.cli.run.RunCommand;
import org.berth.cli.shared.ErrorReport;
import org.berth.cli.shared.OptionRules;
import org.berth.cli.shared.Terminal;
import org.berth.cli.sparkconf.SparkConfCommand;
import org.berth.cli.split.SplitCommand;
import org.berth.cli.topo.TopoCommand;
import org.berth.cli.transport.TransportCommand;
import org.berth.cli.tune.TuneCommand;
import org.berth.cli.watch.WatchCommand;
import org.berth.cli.yarnconf.YarnConfCommand;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** The {@code berth} command. Exit codes: 0 success, 1 failure, 2 usage error; {@code run} has more. */
@Command(
        name = "berth",
        versionProvider = VersionLines.class,
        synopsisSubcommandLabel = "COMMAND",
        description = "Bind the processes, threads and memory pages of JVM data engines to the hardware.",
        footer = {"", "'berth help COMMAND' or 'berth COMMAND --help' explains one command."})
public final class Main implements Runnable {
    static final String VERSION = "0.1.0-SNAPSHOT";

    static final List<String> COMMANDS = List.of(
            "topo",
            "plan",
            "run",
            "split",
            "leases",
            "bind",
            "unbind",
            "irq",
            "probe",
            "watch",
            "compare",
            "tune",
            "doctor",
            "spark-conf",
            "yarn-conf",
            "mapreduce",
            "transport");

    @Spec
    private @Nullable CommandSpec spec;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            scope = ScopeType.INHERIT,
            description = "Show this help and exit.")
    @SuppressWarnings("unused")
    private boolean help;

    @Option(
            names = {"-V", "--version"},
            versionHelp = true,
            description = "Print version, commit, JRE, hwloc and architecture, and exit.")
    @SuppressWarnings("unused")
    private boolean version;

    @Option(names = "--verbose", scope = ScopeType.INHERIT, description = "Print the stack trace of an error, too.")
    @SuppressWarnings("unused")
    private boolean verbose;

    private final Terminal terminal;

    private Main(Terminal terminal) {
        this.terminal = terminal;
    }

    /** Returns the command with all its commands, for manual pages and completion; it prints nothing. */
    public static CommandLine commandLine() {
        PrintWriter nowhere = new PrintWriter(Writer.nullWriter());
        Terminal terminal = Terminal.of(nowhere, nowhere, 80, true);
        CommandLine root = new CommandLine(new Main(terminal));
        addCommands(root, terminal, new String[0]);
        return root;
    }

    /** Runs one command line and ends the JVM with its exit code. */
    public static void main(String[] args) {
        Terminal terminal = Terminal.ofProcess();
        int exitCode = run(terminal, args);
        System.exit(terminal.finish(exitCode));
    }

    /** Runs one command line; never throws, never ends the JVM. */
    static int run(Terminal terminal, String... words) {
        String[] args = withoutHelp(words);
        Main main = new Main(terminal);
        CommandLine root = new CommandLine(main);
        addCommands(root, terminal, args);
        ErrorReport errors = new ErrorReport(terminal, List.of(args));
        // "@file" may be an argument of a command to start.
        return root.setExpandAtFiles(false)
                .setOut(terminal.out())
                .setErr(terminal.err())
                .setColorScheme(CommandLine.Help.defaultColorScheme(
                        terminal.colour() ? CommandLine.Help.Ansi.ON : CommandLine.Help.Ansi.OFF))
                .setUsageHelpWidth(Math.min(Math.max(terminal.columns(), 60), 120))
                .setUsageHelpAutoWidth(false)
                .setParameterExceptionHandler(errors)
                .setExecutionExceptionHandler(errors)
                .setExecutionStrategy(OptionRules::execute)
                .execute(args);
    }

    /**
     * Builds only the requested command: reading the annotations of all commands takes longer than most commands
     * run. Help and unknown names need all of them.
     */
    private static void addCommands(CommandLine root, Terminal terminal, String[] args) {
        String asked = "";
        for (String arg : args) {
            if (!arg.startsWith("-")) {
                asked = arg;
                break;
            }
        }
        if (COMMANDS.contains(asked)) {
            root.addSubcommand(asked, command(asked, terminal));
            return;
        }
        for (String name : COMMANDS) {
            root.addSubcommand(name, command(name, terminal));
        }
    }

    /** {@code help COMMAND} is {@code COMMAND --help}. */
    private static String[] withoutHelp(String[] words) {
        if (words.length == 0 || !words[0].equals("help")) {
            return words;
        }
        List<String> args = new ArrayList<>(List.of(words).subList(1, words.length));
        // An unknown command is an error, which --help would hide.
        if (args.isEmpty() || COMMANDS.contains(args.get(0))) {
            args.add("--help");
        }
        return args.toArray(new String[0]);
    }

    private static Object command(String name, Terminal terminal) {
        return switch (name) {
            case "topo" -> new TopoCommand(terminal);
            case "plan" -> new PlanCommand(terminal);
            // Words after the first word of the command belong to the command, also without "--".
            case "run" -> new CommandLine(new RunCommand(terminal)).setStopAtPositional(true);
            case "split" -> new CommandLine(new SplitCommand(terminal)).setStopAtPositional(true);
            case "leases" -> new LeasesCommand(terminal);
            case "bind" -> new BindCommand(terminal);
            case "unbind" -> new UnbindCommand(terminal);
            case "irq" -> new IrqCommand(terminal);
            case "probe" -> new ProbeCommand(terminal);
            case "watch" -> new WatchCommand(terminal);
            case "compare" -> new CompareCommand(terminal);
            case "tune" -> new TuneCommand(terminal);
            case "doctor" -> new DoctorCommand(terminal);
            case "spark-conf" -> new SparkConfCommand(terminal);
            case "yarn-conf" -> new YarnConfCommand(terminal);
            case "mapreduce" -> new CommandLine(new MapReduceCommand(terminal)).setStopAtPositional(true);
            case "transport" -> new TransportCommand(terminal);
            default -> throw new IllegalArgumentException(name);
        };
    }

    @Override
    public void run() {
        CommandSpec own = Objects.requireNonNull(spec);
        if (terminal.interactive()) {
            own.commandLine().usage(terminal.out());
            return;
        }
        throw new ParameterException(own.commandLine(), "no command is given");
    }
}
