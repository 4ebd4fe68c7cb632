package org.berth.cli.conf;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import org.berth.binding.internal.launch.AgentOptions;
import org.berth.binding.internal.launch.DomainRequest;
import org.berth.cli.run.FirstPart;
import org.berth.cli.shared.CommandException;
import org.berth.cli.shared.JsonOption;
import org.berth.cli.shared.Terminal;
import org.berth.cli.shared.arguments.Arguments;
import org.berth.cli.shared.arguments.OptionRule;
import org.berth.cli.shared.arguments.OptionRules;
import org.berth.cli.shared.arguments.WordList;
import org.berth.placement.MemoryMode;
import org.berth.text.Json;
import org.berth.topology.Topology;
import org.berth.topology.type.ObjectType;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code berth conf hdfs}: prints properties for hdfs-site.xml, and the lines of hadoop-env.sh. */
@Command(
        name = "hdfs",
        description = {
            "Print the HDFS properties that place the threads of a DataNode near their disks, and its lines of hadoop-env.sh.",
            "Nothing is bound; docs/engines/hdfs.md explains the set-up."
        },
        footer = {
            "",
            "berth conf hdfs",
            "berth conf hdfs --policy node",
            "berth conf hdfs --domain numa --topology 'pack:2 [numa(memory=64GB)] l3:1 core:8 pu:2'"
        })
final class HdfsConf implements Callable<Integer>, OptionRules {
    private static final List<String> POLICIES = List.of("interrupt", "node", "none");

    /** A path that a shell reads without quotes. */
    private static final Pattern PATH = Pattern.compile("(/[A-Za-z0-9_.+@:-]+)+");

    private final Terminal terminal;

    @Option(
            names = "--policy",
            paramLabel = "POLICY",
            defaultValue = "interrupt",
            description = "Place of a thread that serves a disk: interrupt (by interrupts and load; the default), node"
                    + " (anywhere on the disk's NUMA node), or none.")
    private String policy = "interrupt";

    @Option(
            names = "--domain",
            paramLabel = "DOMAIN",
            description =
                    "Also bind the DataNode's JVM to a part of the host, in the words of 'run': numa, package, l3 or"
                            + " core:K; for hosts whose disks are all near one part. Default: the JVM may use all CPUs.")
    private Optional<String> domain = Optional.empty();

    @Option(
            names = "--memory",
            paramLabel = "MODE",
            defaultValue = "local",
            description =
                    "With --domain: where the JVM's pages go, in the words of 'run'; default: local, near the CPU that touches"
                            + " a page first.")
    private String memory = "local";

    @Option(
            names = "--library",
            paramLabel = "FILE",
            defaultValue = "/opt/berth/lib/libberth.so",
            description = "Path of libberth.so on the hosts, in the folder of Berth's jar for Hadoop; default:"
                    + " /opt/berth/lib/libberth.so.")
    private String library = "/opt/berth/lib/libberth.so";

    @Mixin
    private HostOption target = new HostOption();

    @Mixin
    private JsonOption json = new JsonOption();

    /**
     * The settings.
     *
     * @param hdfsSite properties of hdfs-site.xml, in order
     * @param hadoopEnvironment lines of hadoop-env.sh
     * @param notes what the user should know in addition, one line each
     */
    private record Settings(Map<String, String> hdfsSite, List<String> hadoopEnvironment, List<String> notes) {}

    HdfsConf(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public List<OptionRule> optionRules() {
        return List.of(OptionRule.needs("--memory", "--domain", "without it the JVM is not bound"));
    }

    @Override
    public Integer call() {
        if (!PATH.matcher(library).matches()) {
            throw CommandException.usage(
                    "--library " + library + ": give an absolute path of letters, digits and _./+@:-");
        }
        String chosen = WordList.named("--policy", policy, POLICIES, word -> word);
        MemoryMode mode = Arguments.memoryMode(memory);
        Settings settings = settings(chosen, mode, target.topology());
        json.write(
                terminal,
                "the settings",
                () -> Json.of(Json.object()
                        .with("format", "berth-hdfs-conf")
                        .with("version", 1)
                        .with(Json.object(settings))),
                () -> text(settings));
        return 0;
    }

    private Settings settings(String chosen, MemoryMode mode, Topology host) {
        Map<String, String> site = new LinkedHashMap<>();
        site.put("dfs.datanode.plugins", "org.berth.hdfs.HdfsAffinityPlugin");
        site.put("dfs.datanode.fsdataset.volume.choosing.policy", "org.berth.hdfs.AffinityVolumePolicy");
        site.put("dfs.datanode.fsdataset.factory", "org.berth.hdfs.AffinityDatasetFactory");
        site.put("berth.hdfs.policy", chosen);
        List<String> environment = new ArrayList<>(List.of("export HADOOP_CLASSPATH=\"$HADOOP_CLASSPATH:"
                + library.substring(0, library.lastIndexOf('/') + 1) + "*\""));
        List<String> notes = new ArrayList<>();
        int nodes = Math.max(
                1,
                host.objectsIntersecting(host.allowedCpuSet(), ObjectType.NUMA_NODE)
                        .size());
        if (domain.isPresent()) {
            FirstPart.parse(domain.get()).require(host);
            AgentOptions agent =
                    AgentOptions.ofDomain(DomainRequest.of(domain.get()).withName("datanode"));
            environment.add("export HDFS_DATANODE_OPTS=\""
                    + (mode == MemoryMode.LOCAL ? agent : agent.withMemory(mode)).jvmOption(library)
                    + " $HDFS_DATANODE_OPTS\"");
            notes.add("every host must have " + library + ": without that file the DataNode does not start");
            if (nodes > 1) {
                notes.add("threads stay inside the domain: a disk near another one of the " + nodes
                        + " NUMA nodes is served from afar");
            }
        } else if (nodes > 1) {
            notes.add("the DataNode may use all " + nodes
                    + " NUMA nodes, because its disks may be near any of them; 'berth" + " topo' shows where they are");
        }
        return new Settings(site, environment, notes);
    }

    private static String text(Settings settings) {
        HadoopXml text = new HadoopXml();
        settings.notes().forEach(text::comment);
        text.comment("hadoop-env.sh");
        settings.hadoopEnvironment().forEach(text::comment);
        text.comment("hdfs-site.xml");
        settings.hdfsSite().forEach(text::property);
        return text.toString();
    }
}
