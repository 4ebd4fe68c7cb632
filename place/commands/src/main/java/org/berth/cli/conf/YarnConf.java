package org.berth.cli.conf;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import org.berth.cli.shared.CommandException;
import org.berth.cli.shared.JsonOption;
import org.berth.cli.shared.Terminal;
import org.berth.cli.shared.arguments.Arguments;
import org.berth.cli.shared.arguments.HeapArgument;
import org.berth.cli.shared.arguments.OptionRule;
import org.berth.cli.shared.arguments.OptionRules;
import org.berth.cli.split.PartsOptions;
import org.berth.placement.internal.shape.Division;
import org.berth.placement.internal.shape.HostShape;
import org.berth.placement.internal.shape.ShapeRequest;
import org.berth.text.Json;
import org.berth.topology.Topology;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code berth conf yarn}: prints properties for yarn-site.xml and mapred-site.xml. */
@Command(
        name = "yarn",
        description = {
            "Print the YARN properties that give each container a part of hosts like this one.",
            "Nothing is bound; docs/engines/yarn.md explains the set-up."
        },
        footer = {
            "",
            "berth conf yarn",
            "berth conf yarn --domain l3 --heap 60%%",
            "berth conf yarn --domain numa --tasks 8 --topology 'pack:2 [numa(memory=64GB)] l3:1 core:8 pu:2'"
        })
final class YarnConf implements Callable<Integer>, OptionRules {
    private static final Division EACH_NODE = new Division(Division.Kind.NUMA, 0);

    private final Terminal terminal;

    @Mixin
    private PartsOptions parts = new PartsOptions();

    @Option(
            names = "--heap",
            paramLabel = "SIZE|PERCENT",
            description =
                    "Total heap of all JVMs of a host, or a percentage of its memory; default 50%%, at most 80%%.")
    private Optional<String> heap = Optional.empty();

    @Option(
            names = "--tasks",
            paramLabel = "N",
            description = "MapReduce tasks that run in a part at once; default: one on each CPU.")
    private Optional<String> tasks = Optional.empty();

    @Option(
            names = "--memory",
            paramLabel = "MODE",
            defaultValue = "local",
            description =
                    "Where a container's pages go, in the words of 'run'; default: local, near the CPU that touches a"
                            + " page first.")
    private String memory = "local";

    @Option(
            names = "--launcher",
            paramLabel = "FILE",
            defaultValue = "/opt/berth/bin/berth-exec",
            description = "Path of berth-exec on the hosts; default: /opt/berth/bin/berth-exec.")
    private String launcher = "/opt/berth/bin/berth-exec";

    @Mixin
    private HostOption target = new HostOption();

    @Mixin
    private JsonOption json = new JsonOption();

    YarnConf(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public List<OptionRule> optionRules() {
        return List.of(PartsOptions.RULE);
    }

    @Override
    public Integer call() {
        Topology host = target.topology();
        Division division = parts.division(host, Optional.empty()).orElse(EACH_NODE);
        ShapeRequest request = HeapArgument.on(ShapeRequest.of(division), heap);
        OptionalInt slots = tasks.map(count -> OptionalInt.of(Arguments.count("--tasks", count)))
                .orElse(OptionalInt.empty());
        YarnShape settings;
        try {
            settings =
                    YarnShape.of(HostShape.of(host, request), division, slots, Arguments.memoryMode(memory), launcher);
        } catch (IllegalArgumentException unfit) {
            throw CommandException.usage(String.valueOf(unfit.getMessage()));
        }
        json.write(terminal, "the settings", () -> json(settings), settings::toText);
        return 0;
    }

    private static String json(YarnShape settings) {
        return Json.of(Json.object()
                .with("format", "berth-yarn-conf")
                .with("version", 1)
                .with(Json.object(settings)));
    }
}
