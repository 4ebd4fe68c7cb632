package org.berth.binding.internal.launch;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.berth.placement.MemoryMode;
import org.berth.topology.CpuSet;
import org.berth.topology.NodeSet;

/**
 * The options of the agent: the text after the library in {@code -agentpath:LIBRARY=OPTIONS}, in the grammar of {@code
 * agent_options.h} in place/native. Immutable: each method returns a new object with one more option.
 *
 * <pre>{@code
 * AgentOptions options = AgentOptions.ofDomain(DomainRequest.of("numa")).withMemory(MemoryMode.BIND).strict();
 * new ProcessBuilder("java", options.jvmOption(NativeLibrary.file()), "-jar", "server.jar");
 * }</pre>
 *
 * <p>A value that the agent would read in another way is refused with an IllegalArgumentException of one line. The
 * agent itself checks which options may be combined.
 *
 * @since 0.1.0
 */
public final class AgentOptions {
    private static final List<String> FLAGS = List.of("verbose", "strict");

    private final List<String> pieces;

    private AgentOptions(List<String> pieces) {
        this.pieces = List.copyOf(pieces);
    }

    /** No option: the process stays where it is. */
    public static AgentOptions none() {
        return new AgentOptions(List.of());
    }

    /**
     * These CPUs, by osIndex.
     *
     * @throws IllegalArgumentException if the set is empty or infinite
     */
    public static AgentOptions ofCpus(CpuSet cpus) {
        if (cpus.isEmpty() || cpus.isInfinite()) {
            throw new IllegalArgumentException("cpus '" + cpus + "' is not a finite set of at least one CPU");
        }
        return none().with("cpus", cpus.toString());
    }

    /** All slots of a plan, which {@link org.berth.placement.PlacementPlan#toText} has written to a file. */
    public static AgentOptions ofPlan(Path file) {
        return none().with("plan", file.toString());
    }

    /** A part of the machine that a lease finds. */
    public static AgentOptions ofDomain(DomainRequest request) {
        AgentOptions options = none();
        for (Map.Entry<String, String> option : request.options().entrySet()) {
            options = options.with(option.getKey(), option.getValue());
        }
        return options;
    }

    /** Selects the slots of one worker of a plan, from 0. */
    public AgentOptions withWorker(int worker) {
        return with("worker", Integer.toString(worker));
    }

    /**
     * How new memory follows to the nodes of the domain; {@link MemoryMode#LOCAL} drops an inherited memory policy. */
    public AgentOptions withMemory(MemoryMode mode) {
        return with("memory", mode.word());
    }

    /**
     * How new memory follows to these nodes, by osIndex; nothing for {@link MemoryMode#LOCAL}, so an inherited policy
     * stays.
     */
    public AgentOptions withMemory(MemoryMode mode, NodeSet nodes) {
        return mode == MemoryMode.LOCAL ? this : with("nodes", nodes.toString()).withMemory(mode);
    }

    /**
     * Sets where the pages of the heap go, apart from those of code, stacks and metaspace.
     *
     * @param policy {@code MODE[:WEIGHTS][@NODES]}: {@code weighted:3,1} has three pages on the first of the nodes for
     * each on
     *     the second, {@code weighted@0-1} takes the weights of the kernel or firmware, {@code bind@1} is a mode of
     *     {@link MemoryMode} over nodes
     */
    public AgentOptions withHeap(String policy) {
        return with("heap-memory", policy);
    }

    /** A rule for threads, {@code GLOB -> TARGET}; the first rule that matches a thread's name counts. */
    public AgentOptions withRule(String rule) {
        return with("rule", rule);
    }

    /** A file with one rule per line. */
    public AgentOptions withRules(Path file) {
        return with("rules", file.toString());
    }

    /** The rules that come with Berth for an engine, such as {@code spark}. */
    public AgentOptions withPreset(String engine) {
        return with("preset", engine);
    }

    /** The target of the collector's threads, as in a rule: {@code cpus 8-9}. */
    public AgentOptions withGc(String target) {
        return with("gc", target);
    }

    /** The target of the compilers' threads, as in a rule. */
    public AgentOptions withJit(String target) {
        return with("jit", target);
    }

    /** Makes a slot of each core with all its PUs, and not of each PU, for options with CPUs or a domain. */
    public AgentOptions withCoreSlots() {
        return with("level", "core");
    }

    /** Uses only the first PU of each core, for options with CPUs or a domain. */
    public AgentOptions withoutSmt() {
        return with("smt", "never");
    }

    /** The process does not follow a cpuset that changes. */
    public AgentOptions withoutGuard() {
        return with("guard", "off");
    }

    /** A process that cannot be bound does not start. */
    public AgentOptions strict() {
        return plus(List.of("strict"));
    }

    /** These options, then the others. */
    public AgentOptions and(AgentOptions others) {
        return plus(others.pieces);
    }

    /** Whether there is no option at all. */
    public boolean isEmpty() {
        return pieces.isEmpty();
    }

    /**
     * The word for the command line of {@code java}.
     *
     * @param library path of libberth.so, as the JVM sees it; it cannot hold an equals sign, at which the JVM ends it
     */
    public String jvmOption(Path library) {
        return jvmOption(library.toString());
    }

    /**
     * The same for a library whose path is written as it is, such as {@code ./libberth.so}.
     *
     * @throws IllegalArgumentException if the path is empty or holds an equals sign
     */
    public String jvmOption(String library) {
        if (library.isEmpty() || library.indexOf('=') >= 0) {
            throw new IllegalArgumentException(
                    "agent library '" + library + "' is empty or holds an equals sign, at which the JVM ends its path");
        }
        return "-agentpath:" + library + (isEmpty() ? "" : "=" + this);
    }

    /**
     * The same word for JAVA_TOOL_OPTIONS, which separates words by white space and knows two kinds of quotes, but no
     * escapes.
     */
    public String toolOption(Path library) {
        String word = jvmOption(library);
        if (word.chars().noneMatch(c -> Character.isWhitespace(c) || c == '"' || c == '\'')) {
            return word;
        }
        return '"' + word.replace("\"", "\"'\"'\"") + '"';
    }

    /** The options as the agent reads them, {@code cpus=0-3,memory=local,strict}. */
    @Override
    public String toString() {
        return String.join(",", pieces);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof AgentOptions options && pieces.equals(options.pieces);
    }

    @Override
    public int hashCode() {
        return pieces.hashCode();
    }

    private AgentOptions with(String key, String value) {
        return plus(List.of(key + "=" + requireValue(key, value)));
    }

    private AgentOptions plus(List<String> more) {
        List<String> all = new ArrayList<>(pieces);
        all.addAll(more);
        return new AgentOptions(all);
    }

    /**
     * Commas also separate options: the agent takes a piece of a value for the next option when it holds an equals sign
     * or is a flag. It knows no escape, so such a value cannot be given.
     */
    static String requireValue(String key, String value) {
        String[] pieces = value.split(",", -1);
        boolean misread = Arrays.stream(pieces, 1, pieces.length)
                .anyMatch(piece -> piece.indexOf('=') >= 0 || FLAGS.contains(piece));
        if (value.isEmpty() || misread || value.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException(key + " '" + value.replaceAll("(?U)\\p{Cntrl}", "?")
                    + "' is empty, or holds a control character or a comma before what reads as another option");
        }
        return value;
    }
}
