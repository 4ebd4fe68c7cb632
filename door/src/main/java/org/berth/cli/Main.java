package org.berth.cli;

import java.io.PrintWriter;
import java.io.Writer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeMap;
import org.berth.cli.shared.CommandSet;
import org.berth.cli.shared.ErrorReport;
import org.berth.cli.shared.OldWords;
import org.berth.cli.shared.Terminal;
import org.berth.cli.shared.arguments.OptionRules;
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
        commandListHeading = "",
        description = "Bind the processes, threads and memory pages of JVM data engines to the hardware.",
        footer = {"", "'berth help COMMAND' or 'berth COMMAND --help' explains one command."})
public final class Main implements Runnable {
    static final String VERSION = "0.1.0-SNAPSHOT";

    /** Commands that have commands. */
    private static final Set<String> GROUPS = Set.of("conf", "study");

    /** The commands of the wings on the class path, by name, in the order of the help. */
    private static final Map<String, CommandSet> COMMANDS = commands();

    @Spec
    private @Nullable CommandSpec spec;

    @Option(
            names = {"-h", HelpPages.HELP, HelpPages.ALL},
            usageHelp = true,
            scope = ScopeType.INHERIT,
            description = "Show the options that most people need, with --help-all every option, and exit.")
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
        OldWords.Line line = OldWords.renew(List.of(words), name -> known(name, terminal));
        line.notes().forEach(terminal.err()::println);
        String[] args = withoutHelp(line.words().toArray(new String[0]));
        Main main = new Main(terminal);
        CommandLine root = new CommandLine(main);
        addCommands(root, terminal, args);
        HelpPages.install(root, List.of(args));
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
        if (COMMANDS.containsKey(asked)) {
            root.addSubcommand(asked, command(asked, terminal));
            return;
        }
        for (String name : COMMANDS.keySet()) {
            root.addSubcommand(name, command(name, terminal));
        }
    }

    /** {@code help COMMAND} is {@code COMMAND --help}. */
    private static String[] withoutHelp(String[] words) {
        if (words.length == 0 || !words[0].equals("help")) {
            return words;
        }
        List<String> args = new ArrayList<>();
        // Only names of commands: what follows might be a command to start, and options are explained all together.
        for (String word : List.of(words).subList(1, words.length)) {
            if (word.startsWith("-") || (!args.isEmpty() && !GROUPS.contains(args.get(0)))) {
                break;
            }
            args.add(word);
        }
        // An unknown command is an error, which --help would hide.
        if (args.isEmpty() || args.get(0).equals("help") || COMMANDS.containsKey(args.get(0))) {
            args.remove("help");
            args.add(HelpPages.HELP);
        }
        return args.toArray(new String[0]);
    }

    private static Optional<CommandLine> known(String name, Terminal terminal) {
        return Optional.of(name)
                .filter(COMMANDS::containsKey)
                .map(one -> command(one, terminal))
                .map(made -> made instanceof CommandLine line ? line : new CommandLine(made));
    }

    private static Object command(String name, Terminal terminal) {
        return Objects.requireNonNull(COMMANDS.get(name), name).command(name, terminal);
    }

    private static Map<String, CommandSet> commands() {
        Map<String, CommandSet> found = new HashMap<>();
        for (CommandSet set : ServiceLoader.load(CommandSet.class)) {
            set.names().forEach(name -> found.put(name, set));
        }
        Map<String, CommandSet> ordered = new LinkedHashMap<>();
        HelpGroup.commands().stream().filter(found::containsKey).forEach(name -> ordered.put(name, found.get(name)));
        new TreeMap<>(found).forEach(ordered::putIfAbsent);
        return Collections.unmodifiableMap(ordered);
    }

    static Set<String> names() {
        return COMMANDS.keySet();
    }

    @Override
    public void run() {
        CommandSpec own = Objects.requireNonNull(spec);
        FirstSteps.lines(COMMANDS.keySet()).forEach(terminal.out()::println);
        if (terminal.interactive()) {
            return;
        }
        throw new ParameterException(own.commandLine(), "no command is given");
    }
}
