package org.berth.cli.run;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.berth.cli.shared.jvm.HugePageNeed;
import org.berth.observation.internal.jvm.JvmFlags;
import org.berth.observation.internal.kernel.HugePages;
import org.berth.observation.internal.kernel.KernelSettings;
import org.berth.placement.MemoryMode;
import org.berth.topology.NodeSet;

/**
 * Whether the nodes to which a JVM's memory is bound have the explicit huge pages that its heap needs: reported before
 * the JVM dies of it.
 *
 * @param flags those of the command line and of the variables that JVMs read
 */
public record HugePageCheck(JvmFlags flags, HugePages pages) {
    private static final List<String> VARIABLES = List.of("JDK_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS");

    /** Checks a command on this machine. */
    public static HugePageCheck of(List<String> command, Map<String, String> environment) {
        List<String> words = new ArrayList<>(List.of("java"));
        for (String variable : VARIABLES) {
            words.addAll(List.of(environment.getOrDefault(variable, "").strip().split("\\s+", -1)));
        }
        words.removeIf(String::isEmpty);
        words.addAll(command.subList(1, command.size()));
        return new HugePageCheck(
                JvmFlags.ofArguments(words), KernelSettings.read(Path.of("/")).hugePages());
    }

    /**
     * A warning for memory that is bound to some nodes; none where enough pages are there, or other nodes may be used.
     */
    public Optional<String> warning(MemoryMode memory, NodeSet nodes) {
        boolean bound = memory == MemoryMode.BIND || memory == MemoryMode.BIND_BALANCE;
        return !bound || nodes.isEmpty()
                ? Optional.empty()
                : HugePageNeed.of(flags)
                        .flatMap(need -> need.shortage(pages, nodes, Optional.empty()))
                        .map(what -> "warning: " + what + "; " + HugePageNeed.REMEDY);
    }
}
