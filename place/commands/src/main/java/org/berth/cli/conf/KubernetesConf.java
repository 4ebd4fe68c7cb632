package org.berth.cli.conf;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import org.berth.binding.internal.launch.AgentOptions;
import org.berth.binding.internal.launch.DomainRequest;
import org.berth.cli.shared.CommandException;
import org.berth.cli.shared.JsonOption;
import org.berth.cli.shared.Terminal;
import org.berth.cli.shared.arguments.Arguments;
import org.berth.cli.shared.arguments.HeapArgument;
import org.berth.cli.shared.arguments.OptionRule;
import org.berth.cli.shared.arguments.OptionRules;
import org.berth.cli.split.PartsOptions;
import org.berth.placement.MemoryMode;
import org.berth.placement.internal.shape.Division;
import org.berth.placement.internal.shape.HostShape;
import org.berth.placement.internal.shape.ShapePart;
import org.berth.placement.internal.shape.ShapeRequest;
import org.berth.text.Json;
import org.berth.text.Words;
import org.berth.topology.Topology;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code berth conf kubernetes}: prints a pod whose JVM gets a part of its host. */
@Command(
        name = "kubernetes",
        description = {
            "Print the parts of a pod's specification that give its JVM a part of hosts like this one: the agent, the"
                    + " leases, and whole CPUs.",
            "Nothing is bound; docs/guide/containers.md explains the set-up. For Spark, see 'berth conf spark'."
        },
        footer = {
            "",
            "berth conf kubernetes --heap 8g",
            "berth conf kubernetes --into 2 --heap 8g --container kafka",
            "berth conf kubernetes --domain numa --topology 'pack:2 [numa(memory=64GB)] l3:1 core:8 pu:2'"
        })
final class KubernetesConf implements Callable<Integer>, OptionRules {
    private static final Division EACH_NODE = new Division(Division.Kind.NUMA, 0);
    private static final Pattern LABEL = Pattern.compile("[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?");
    private static final Pattern IMAGE = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._/:@-]*");

    /** A heap is at most four fifths of its container, as YARN and most images have it. */
    private static final int HEAP_FIFTHS = 4;

    private final Terminal terminal;

    @Mixin
    private PartsOptions parts = new PartsOptions();

    @Option(
            names = "--heap",
            paramLabel = "SIZE|PERCENT",
            description =
                    "Total heap of all pods of a host, or a percentage of its memory; default 50%%, at most 80%%.")
    private Optional<String> heap = Optional.empty();

    @Option(
            names = "--memory",
            paramLabel = "MODE",
            defaultValue = "local",
            description =
                    "Where a pod's pages go, in the words of 'run'; default: local, near the CPU that touches a page first.")
    private String memory = "local";

    @Option(
            names = "--container",
            paramLabel = "NAME",
            defaultValue = "main",
            description = "Name of the container with the JVM in your pod; default: main.")
    private String container = "main";

    @Option(
            names = "--image",
            paramLabel = "IMAGE",
            defaultValue = "berth",
            description = "Berth's image, which './package' prepares; default: berth.")
    private String image = "berth";

    @Mixin
    private HostOption target = new HostOption();

    @Mixin
    private JsonOption json = new JsonOption();

    /**
     * What a pod gets.
     *
     * @param cpus whole ones, those of the smallest part
     * @param memoryMebibytes of its container
     * @param javaToolOptions value of the variable JAVA_TOOL_OPTIONS
     * @param notes what the user should know in addition, one line each
     */
    private record Pod(int cpus, long memoryMebibytes, String javaToolOptions, List<String> notes) {}

    KubernetesConf(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public List<OptionRule> optionRules() {
        return List.of(PartsOptions.RULE);
    }

    @Override
    public Integer call() {
        require("--container", container, LABEL, "small letters, digits and hyphens");
        require("--image", image, IMAGE, "the name of an image such as registry.example.org/berth:1");
        Pod pod = pod(Arguments.memoryMode(memory), target.topology());
        json.write(
                terminal,
                "the settings",
                () -> Json.of(Json.object()
                        .with("format", "berth-kubernetes-conf")
                        .with("version", 1)
                        .with(Json.object(pod))),
                () -> yaml(pod));
        return 0;
    }

    private static void require(String option, String text, Pattern form, String words) {
        if (!form.matcher(text).matches()) {
            throw CommandException.usage(option + " '" + Words.quote(text) + "': give " + words);
        }
    }

    private Pod pod(MemoryMode mode, Topology host) {
        Division division = parts.division(host, Optional.empty()).orElse(EACH_NODE);
        HostShape shape = HostShape.of(host, HeapArgument.on(ShapeRequest.of(division), heap));
        ShapePart least = shape.parts().stream()
                .min(Comparator.comparingLong(ShapePart::heapBytes))
                .orElseThrow();
        long heapMebibytes = least.heapBytes() >> 20;
        long needed = (heapMebibytes * (HEAP_FIFTHS + 1) + HEAP_FIFTHS - 1) / HEAP_FIFTHS;
        if (heapMebibytes == 0) {
            throw CommandException.usage("the memory of this host is not known: give the heap of all JVMs by --heap");
        }
        if (least.memoryBytes() > 0 && needed > least.memoryBytes() >> 20) {
            throw CommandException.usage("a pod is a quarter larger than its heap, and " + needed
                    + " MiB do not fit into the " + (least.memoryBytes() >> 20)
                    + " MiB of a part: give at most --heap 80%");
        }
        AgentOptions agent = AgentOptions.ofDomain(DomainRequest.of(shape.domain(division)));
        List<String> notes = new ArrayList<>();
        int cpus = shape.parts().stream()
                .mapToInt(part -> part.cpus().size())
                .min()
                .orElseThrow();
        notes.add("a host has " + Words.count(shape.parts().size(), "part") + " of " + Words.count(cpus, "CPU")
                + " for a pod each; the kubelet keeps some CPUs and memory for itself ('kubectl describe node',"
                + " Allocatable), so lower the numbers where all parts are to be used");
        notes.addAll(shape.notes());
        return new Pod(
                cpus,
                needed,
                (mode == MemoryMode.LOCAL ? agent : agent.withMemory(mode)).jvmOption("/berth/libberth.so") + " -Xmx"
                        + heapMebibytes + "m",
                notes);
    }

    private String yaml(Pod pod) {
        StringBuilder comments = new StringBuilder();
        pod.notes().forEach(note -> comments.append("# ").append(note).append('\n'));
        return comments
                + """
                apiVersion: v1
                kind: Pod
                metadata:
                  generateName: berth-
                spec:
                  initContainers:
                    - name: berth
                      image: IMAGE
                      imagePullPolicy: IfNotPresent
                      command: [sh, -c, "install -m 644 /opt/berth/libberth.so /berth/ && chmod 1777 /leases"]
                      securityContext: { runAsUser: 0 }
                      resources:
                        requests: { cpu: "1", memory: 128Mi }
                        limits: { cpu: "1", memory: 128Mi }
                      volumeMounts:
                        - { name: berth, mountPath: /berth }
                        - { name: leases, mountPath: /leases }
                  containers:
                    - name: CONTAINER
                      # Add image, command and ports of your own.
                      env:
                        - { name: BERTH_LEASES, value: /leases }
                        - { name: JAVA_TOOL_OPTIONS, value: "OPTIONS" }
                      resources:
                        requests: { cpu: "CPUS", memory: MEMORYMi }
                        limits: { cpu: "CPUS", memory: MEMORYMi }
                      volumeMounts:
                        - { name: berth, mountPath: /berth, readOnly: true }
                        - { name: leases, mountPath: /leases }
                  volumes:
                    - name: berth
                      emptyDir: {}
                    - name: leases
                      hostPath: { path: /run/berth/leases, type: DirectoryOrCreate }
                """.replace("IMAGE", image)
                        .replace("CONTAINER", container)
                        .replace("OPTIONS\" }", pod.javaToolOptions() + "\" }")
                        .replace("CPUS", Integer.toString(pod.cpus()))
                        .replace("MEMORY", Long.toString(pod.memoryMebibytes()));
    }
}
