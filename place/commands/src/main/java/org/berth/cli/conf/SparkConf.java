package org.berth.cli.conf;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.berth.binding.internal.launch.HeapPolicy;
import org.berth.binding.internal.library.NativeLibrary;
import org.berth.cli.shared.CommandException;
import org.berth.cli.shared.IoErrors;
import org.berth.cli.shared.JsonOption;
import org.berth.cli.shared.Terminal;
import org.berth.cli.shared.arguments.Arguments;
import org.berth.cli.shared.arguments.HeapArgument;
import org.berth.cli.shared.arguments.HeapMemoryArgument;
import org.berth.cli.shared.arguments.MemoryArgument;
import org.berth.cli.shared.arguments.OptionRule;
import org.berth.cli.shared.arguments.OptionRules;
import org.berth.cli.shared.arguments.WordList;
import org.berth.cli.split.PartsOptions;
import org.berth.placement.MemoryMode;
import org.berth.placement.internal.shape.ShapeRequest;
import org.berth.spark.conf.SparkKeys;
import org.berth.spark.conf.SparkSettings;
import org.berth.text.Json;
import org.berth.text.Words;
import org.berth.topology.Topology;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code berth conf spark}: prints lines for spark-defaults.conf. */
@Command(
        name = "spark",
        description = {
            "Print the lines for spark-defaults.conf that bind executors on hosts like this one.",
            "Nothing is bound; docs/engines/spark.md explains each line."
        },
        footer = {
            "",
            "berth conf spark --manager standalone --level core",
            "berth conf spark --manager yarn --copy-library . --executors-per-host 4",
            "berth conf spark --manager yarn --domain l3 --heap 60%%",
            "berth conf spark --manager kubernetes --topology 'pack:2 [numa(memory=64GB)] l3:1 core:8 pu:2'"
        })
final class SparkConf implements Callable<Integer>, OptionRules {
    private static final String NOT_KNOWN =
            "an executor finds its domain by a lease when it starts, and has the nodes of that; nodes of a tier cannot be"
                    + " looked up before";

    private final Terminal terminal;

    @Option(
            names = "--manager",
            paramLabel = "NAME",
            defaultValue = "standalone",
            description =
                    "Cluster manager that starts the executors: local, standalone (the default), yarn, or kubernetes.")
    private String manager = "standalone";

    @Option(
            names = "--level",
            paramLabel = "LEVEL",
            defaultValue = "auto",
            description = "Level of the tasks: auto (the default), none, numa, package, l3, core, or pu.")
    private String level = "auto";

    @Option(
            names = "--executors-per-host",
            paramLabel = "N",
            description = "Executors of the application on a host, without a line for their heap; default: one for each"
                    + " memory node.")
    private Optional<String> executors = Optional.empty();

    @Mixin
    private PartsOptions parts = new PartsOptions();

    @Option(
            names = "--heap",
            paramLabel = "SIZE|PERCENT",
            description =
                    "With --domain or --into: total heap of all executors of a host, or a percentage of its memory; default 50%%.")
    private Optional<String> heap = Optional.empty();

    @Option(
            names = "--memory",
            paramLabel = "MODE",
            defaultValue = "local",
            description =
                    "Where an executor's pages go, in the words of 'run'; default: local, near the CPU that touches a"
                            + " page first.")
    private String memory = "local";

    @Option(
            names = "--heap-memory",
            paramLabel = HeapMemoryArgument.LABEL,
            description = "Where the pages of an executor's heap go, apart from its other memory, as for 'run':"
                    + " weighted:3,1@0-1.")
    private Optional<String> heapMemory = Optional.empty();

    @Option(
            names = "--library",
            paramLabel = "FILE",
            description =
                    "Path of libberth.so on the hosts or in the image; default: " + SparkKeys.INSTALLED_LIBRARY + ".")
    private Optional<String> library = Optional.empty();

    @Option(
            names = "--copy-library",
            paramLabel = "DIR",
            description = "Write libberth.so into this directory, for distribution or for an image.")
    private Optional<Path> copyTo = Optional.empty();

    @Mixin
    private HostOption target = new HostOption();

    @Mixin
    private JsonOption json = new JsonOption();

    SparkConf(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public List<OptionRule> optionRules() {
        return List.of(
                PartsOptions.RULE,
                OptionRule.excludes("--domain --into", "--executors-per-host --manager=local", ""),
                OptionRule.needs("--heap", "--domain --into", "it is divided among the parts of a host"));
    }

    @Override
    public Integer call() {
        SparkSettings.Manager started = manager();
        int perHost = executors
                .map(count -> Arguments.count("--executors-per-host", count))
                .orElse(0);
        MemoryMode mode = memoryMode();
        SparkSettings.Request request = new SparkSettings.Request(
                started,
                level.equals("auto") ? Optional.empty() : Optional.of(Arguments.level(level)),
                perHost,
                mode,
                heapMemory.map(this::heapMemory),
                library.or(() -> copyTo.map(SparkConf::copy)).orElse(SparkKeys.INSTALLED_LIBRARY));
        Topology host = target.topology();
        SparkSettings settings = parts.division(host, Optional.empty())
                .map(division -> SparkSettings.of(host, request, HeapArgument.on(ShapeRequest.of(division), heap)))
                .orElseGet(() -> SparkSettings.of(host, request));
        json.write(terminal, "the settings", () -> json(settings), settings::toText);
        return 0;
    }

    private static String json(SparkSettings settings) {
        return Json.of(Json.object()
                .with("format", "berth-spark-conf")
                .with("version", 1)
                .with(Json.object(settings)));
    }

    private SparkSettings.Manager manager() {
        return WordList.named("--manager", manager, List.of(SparkSettings.Manager.values()), Words::of);
    }

    private MemoryMode memoryMode() {
        MemoryArgument chosen = MemoryArgument.parse(memory);
        if (chosen.hasPlace()) {
            throw CommandException.usage("--memory " + memory + ": " + NOT_KNOWN);
        }
        return chosen.mode();
    }

    private String heapMemory(String text) {
        HeapPolicy policy =
                HeapMemoryArgument.parse(text, () -> target.topology().allowedNodeSet());
        if (policy.hasTier()) {
            throw CommandException.usage("--heap-memory " + text + ": " + NOT_KNOWN);
        }
        return policy.toString();
    }

    private static String copy(Path directory) {
        Path file = directory.toAbsolutePath().normalize().resolve("libberth.so");
        try {
            Files.createDirectories(file.getParent());
            // A new file under the old name: running JVMs keep the old one, and one that starts meanwhile has either.
            Path whole = Files.createTempFile(file.getParent(), "libberth", ".so");
            try {
                Files.copy(NativeLibrary.file(), whole, StandardCopyOption.REPLACE_EXISTING);
                Files.setPosixFilePermissions(whole, PosixFilePermissions.fromString("rw-r--r--"));
                Files.move(whole, file, StandardCopyOption.ATOMIC_MOVE);
            } finally {
                Files.deleteIfExists(whole);
            }
        } catch (IOException e) {
            throw CommandException.failure("cannot write " + file + ": " + IoErrors.reason(e), e);
        }
        return file.toString();
    }
}
