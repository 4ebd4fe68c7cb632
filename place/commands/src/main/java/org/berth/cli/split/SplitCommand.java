package org.berth.cli.split;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import org.berth.binding.leases.Lease;
import org.berth.cli.run.HugePageCheck;
import org.berth.cli.run.Launch;
import org.berth.cli.shared.CommandException;
import org.berth.cli.shared.CommonOptions;
import org.berth.cli.shared.IoErrors;
import org.berth.cli.shared.JsonOption;
import org.berth.cli.shared.TargetMachine;
import org.berth.cli.shared.Terminal;
import org.berth.cli.shared.arguments.Arguments;
import org.berth.cli.shared.arguments.OptionRule;
import org.berth.cli.shared.arguments.OptionRules;
import org.berth.cli.shared.launch.CommandLookup;
import org.berth.cli.shared.launch.InheritedPolicy;
import org.berth.observation.internal.process.CallerEnvironment;
import org.berth.placement.internal.shape.HostShape;
import org.berth.text.Json;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code berth split}: several processes of a command on this host, each in its part. */
@CommonOptions({
    "--domain",
    "--into",
    "--cpus",
    "--heap",
    "--memory",
    "--exclusive",
    "--preset",
    "--rules",
    "--restart",
    "--log-dir",
    "--systemd",
    "--dry-run",
    "--json"
})
@Command(
        name = "split",
        synopsisHeading = "Usage: ",
        description = {
            "Start several processes of a command on this host, each bound to its part before it starts, and stay as their"
                    + " supervisor.",
            "The command may contain " + Placeholders.KNOWN
                    + ". {{ and }} stand for braces. BERTH_SPLIT_INDEX, _COUNT, _CPUS, _CPU_COUNT, _NODES and _HEAP in"
                    + " the environment have the same values."
        },
        footer = {
            "",
            "berth split --domain numa -- java -Xmx{heap} -jar server.jar --port {8080+i}",
            "berth split --domain l3 --heap 60%% --dry-run -- java -Xmx{heap} -jar worker.jar",
            "berth split --into 2 --systemd worker -- java -Xmx{heap} -jar worker.jar"
        })
public final class SplitCommand implements Callable<Integer>, OptionRules {
    /** Options that are for this start, and not for each process of a unit of systemd. */
    private static final Set<String> NOT_IN_UNITS =
            Set.of("--systemd", "--output", "--restart", "--restart-limit", "--fail-fast", "--log-dir", "--json");

    @Spec
    private @Nullable CommandSpec spec;

    @Mixin
    private SplitOptions options = new SplitOptions();

    @Option(
            names = {"-n", "--dry-run"},
            description = "Print the plan and the commands, and start nothing.")
    private boolean dryRun;

    @Option(
            names = "--only",
            paramLabel = "I",
            description = "Start process I alone and become it, without a supervisor: for systemd and the like.")
    private Optional<String> only = Optional.empty();

    @Option(
            names = "--restart",
            arity = "0..1",
            paramLabel = "WHEN",
            fallbackValue = "on-failure",
            description =
                    "Restart a process that has ended: on-failure (the default of the option) or always; after 1 s, 2"
                            + " s, 4 s and so on up to 64 s. Without the option no process is restarted.")
    private Optional<String> restart = Optional.empty();

    @Option(
            names = "--restart-limit",
            paramLabel = "N",
            description = "Maximum number of restarts of a process in a row, default 5; a run of one minute resets the"
                    + " count.")
    private Optional<String> restartLimit = Optional.empty();

    @Option(names = "--fail-fast", description = "Stop all processes when one has failed and is not restarted.")
    private boolean failFast;

    @Option(
            names = "--log-dir",
            paramLabel = "DIR",
            description =
                    "Append the output of process I to DIR/I.log, instead of printing it with its index in" + " front.")
    private Optional<Path> logFolder = Optional.empty();

    @Option(
            names = "--systemd",
            paramLabel = "NAME",
            description =
                    "Print NAME@.service, a template unit of systemd, and NAME.target, which starts all; start nothing.")
    private Optional<String> systemd = Optional.empty();

    @Option(
            names = {"-o", "--output"},
            paramLabel = "DIR",
            description = "With --systemd: write the two files into DIR.")
    private Optional<Path> output = Optional.empty();

    @Option(
            names = "--topology",
            paramLabel = "FILE|SYNTHETIC",
            description = "With --dry-run: another machine than this one, as hwloc XML or as a synthetic description.")
    private Optional<String> topology = Optional.empty();

    @Option(
            names = {"-q", "--quiet"},
            description = "Do not report the plan, and where processes run and how they end.")
    private boolean quiet;

    @Mixin
    private JsonOption json = new JsonOption();

    @Parameters(arity = "1..*", paramLabel = "-- COMMAND", description = "The command and its arguments.")
    private List<String> command = new ArrayList<>();

    private final Terminal terminal;

    public SplitCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public List<OptionRule> optionRules() {
        return List.of(
                PartsOptions.RULE,
                OptionRule.needs("--topology", "--dry-run", "processes start on this machine"),
                OptionRule.needs("--output", "--systemd", ""),
                OptionRule.needs("--restart-limit", "--restart", ""),
                OptionRule.excludes(
                        "--only",
                        "--dry-run --systemd --restart --fail-fast",
                        "--only starts one process without a supervisor"),
                OptionRule.excludes(
                        "--unbound",
                        "--memory --exclusive --preset --rules --gc --jit --level --smt --heap-memory",
                        "--unbound binds nothing"));
    }

    @Override
    public Integer call() {
        RestartPolicy policy = restartPolicy();
        checkTogether();
        Placeholders.check(command);
        TargetMachine machine = TargetMachine.load(topology);
        HostShape shape = options.shape(machine);
        SplitPlan plan = options.plan(shape, machine.topology(), programName());
        for (int index = 0; index < plan.size(); index++) {
            requireReadable(plan.command(index, command));
        }
        if (systemd.isPresent()) {
            return writeUnits(plan, policy);
        }
        if (only.isPresent()) {
            return become(plan);
        }
        if (dryRun) {
            json.write(
                    terminal,
                    "the plan",
                    () -> Json.of(SplitTable.json(plan, command)),
                    () -> SplitTable.text(plan, command, terminal.columns()));
            return 0;
        }
        return supervise(plan, policy);
    }

    private void checkTogether() {
        if (json.takesOutput() && !dryRun) {
            throw CommandException.usage("--json needs a FILE here: standard output has the lines of the processes");
        }
        systemd.ifPresent(SystemdUnit::requireName);
    }

    private RestartPolicy restartPolicy() {
        if (restart.isEmpty()) {
            return RestartPolicy.never();
        }
        RestartPolicy.When when = switch (restart.get()) {
            case "on-failure" -> RestartPolicy.When.ON_FAILURE;
            case "always" -> RestartPolicy.When.ALWAYS;
            default -> throw CommandException.usage("--restart " + restart.get() + ": choose on-failure or always");
        };
        int limit = restartLimit
                .map(text -> Arguments.count("--restart-limit", text))
                .orElse(RestartPolicy.DEFAULT_LIMIT);
        return new RestartPolicy(when, limit);
    }

    /** Java decodes arguments by the locale; what that lost cannot be passed on. */
    private static void requireReadable(List<String> words) {
        for (String word : words) {
            if (word.indexOf('\uFFFD') >= 0) {
                throw CommandException.usage(
                        "'" + word + "' has bytes that are not text, which only berth run can pass on");
            }
        }
    }

    private String programName() {
        Path name = Path.of(command.get(0)).getFileName();
        return name == null ? "split" : name.toString();
    }

    private static Path find(String program) {
        return CommandLookup.find(program, System.getenv().getOrDefault("PATH", ""));
    }

    private Integer become(SplitPlan plan) {
        int index = Arguments.index("--only", only.orElseThrow(), plan.size());
        Path program = find(plan.command(index, command).get(0));
        Launch launch = plan.launch(index, command, CommandLookup.isJavaLauncher(program));
        launch.handOver();
        if (!quiet) {
            terminal.err()
                    .println("berth: process " + index + " of " + plan.size()
                            + (plan.bound()
                                    ? ": CPUs "
                                            + plan.shape().parts().get(index).cpus() + ", memory "
                                            + plan.memory().word()
                                    : ": not bound"));
            note(plan);
        }
        return 0;
    }

    private void note(SplitPlan plan) {
        if (plan.bound()) {
            InheritedPolicy.note(terminal, plan.memory(), plan.defaultPolicy());
        }
    }

    private void warnOfHugePages(SplitPlan plan) {
        for (int index = 0; index < plan.size(); index++) {
            int process = index;
            HugePageCheck.of(plan.command(index, command), CallerEnvironment.variables())
                    .warning(plan.memory(), plan.shape().parts().get(index).memoryNodes())
                    .ifPresent(warning -> terminal.err().println("berth: process " + process + ": " + warning));
        }
    }

    private Integer supervise(SplitPlan plan, RestartPolicy policy) {
        json.check("the report");
        Optional<Lease> parts = ExclusiveParts.claim(plan);
        try {
            return supervise(plan, policy, () -> parts.ifPresent(Lease::close));
        } finally {
            parts.ifPresent(Lease::close);
        }
    }

    /** Calls back when each process has its place. */
    private Integer supervise(SplitPlan plan, RestartPolicy policy, Runnable placed) {
        boolean java = true;
        for (int index = 0; index < plan.size(); index++) {
            java &= CommandLookup.isJavaLauncher(
                    find(plan.command(index, command).get(0)));
        }
        logFolder.ifPresent(folder -> createFolder(folder, "--log-dir"));
        if (!quiet) {
            terminal.err().print(SplitTable.text(plan, command, terminal.columns()));
            note(plan);
            terminal.err().flush();
        }
        if (java) {
            warnOfHugePages(plan);
        }
        Supervisor supervisor = new Supervisor(
                plan, command, java, new Supervisor.Settings(policy, failFast, logFolder, quiet), terminal, placed);
        int exitCode = supervisor.run();
        json.write(
                terminal,
                "the report",
                () -> Json.of(SplitTable.json(plan, command)
                        .withEach(
                                "processes",
                                supervisor.processes(),
                                process -> Json.object()
                                        .with("index", process.index())
                                        .with(
                                                "pid",
                                                process.place().map(Place::pid).orElse(0L))
                                        .with(
                                                "cpus",
                                                process.place()
                                                        .map(place ->
                                                                place.cpus().toString())
                                                        .orElse(""))
                                        .with(
                                                "memoryPolicy",
                                                process.place()
                                                        .map(Place::memory)
                                                        .orElse(""))
                                        .with("restarts", process.restarts())
                                        .with("exitCode", process.exitCode()))
                        .with("exitCode", exitCode)));
        return exitCode;
    }

    private Integer writeUnits(SplitPlan plan, RestartPolicy policy) {
        String name = systemd.orElseThrow();
        List<String> before = new ArrayList<>(List.of(System.getProperty("org.berth.command", "berth"), "split"));
        before.addAll(optionsForUnits());
        before.add("--only");
        List<String> after = new ArrayList<>(List.of("--"));
        after.addAll(command);
        Path folder = Path.of("").toAbsolutePath();
        Map<String, String> files = SystemdUnit.files(name, plan.size(), before, after, folder, policy);
        output.ifPresent(directory -> createFolder(directory, "--output"));
        files.forEach((file, text) -> {
            if (output.isEmpty()) {
                terminal.out().print("# ----- " + file + "\n" + text + "\n");
                return;
            }
            Path target = output.get().resolve(file);
            try {
                Files.writeString(target, text);
            } catch (IOException e) {
                throw CommandException.failure("cannot write " + target + ": " + IoErrors.reason(e), e);
            }
            terminal.out().println(target);
        });
        return 0;
    }

    private List<String> optionsForUnits() {
        List<String> words = new ArrayList<>();
        for (OptionSpec option :
                Objects.requireNonNull(spec).commandLine().getParseResult().matchedOptions()) {
            if (NOT_IN_UNITS.contains(option.longestName())) {
                continue;
            }
            if (option.arity().max() == 0) {
                words.add(option.longestName());
            } else {
                option.originalStringValues().forEach(value -> words.add(option.longestName() + "=" + value));
            }
        }
        return words;
    }

    private static void createFolder(Path folder, String option) {
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw CommandException.failure(option + " " + folder + ": " + IoErrors.reason(e), e);
        }
    }
}
