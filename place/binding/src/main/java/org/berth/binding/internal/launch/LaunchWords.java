package org.berth.binding.internal.launch;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.berth.binding.internal.library.NativeLibrary;
import org.berth.placement.MemoryMode;
import org.berth.topology.CpuSet;
import org.berth.topology.NodeSet;

/**
 * The words of a command line of {@code berth-exec}, which binds itself and becomes the command after them. Immutable:
 * each method returns another object with more words.
 *
 * <pre>{@code
 * new ProcessBuilder(LaunchWords.of(NativeLibrary.launcher())
 *         .withDomain(DomainRequest.of("core:2"))
 *         .before(List.of("python3", "train.py")));
 * }</pre>
 *
 * @since 0.1.0
 */
public final class LaunchWords {
    private final List<String> words;

    private LaunchWords(List<String> words) {
        this.words = List.copyOf(words);
    }

    /**
     * The words that start this program.
     *
     * @param program berth-exec, see {@link NativeLibrary#launcher}
     */
    public static LaunchWords of(Path program) {
        return of(program.toString());
    }

    /**
     * The words that start a program, whose name is written as given.
     *
     * @param program path of berth-exec, or its name on the PATH
     */
    public static LaunchWords of(String program) {
        return new LaunchWords(List.of(program));
    }

    /** These CPUs, by osIndex; not together with a domain. */
    public LaunchWords withCpus(CpuSet cpus) {
        return with("--cpus", cpus.toString());
    }

    /** How new memory follows to these nodes, by osIndex; nothing for {@link MemoryMode#LOCAL}. */
    public LaunchWords withMemory(MemoryMode mode, NodeSet nodes) {
        return mode == MemoryMode.LOCAL
                ? this
                : with("--nodes", nodes.toString()).with("--memory", mode.word());
    }

    /** A part of the machine that a lease finds; the command and what it starts hold it until the last of them ends. */
    public LaunchWords withDomain(DomainRequest request) {
        LaunchWords result = this;
        for (Map.Entry<String, String> option : request.options().entrySet()) {
            result = result.with("--" + option.getKey(), option.getValue());
        }
        return result;
    }

    /** How new memory follows to the nodes of the domain. */
    public LaunchWords withMemory(MemoryMode mode) {
        return with("--memory", mode.word());
    }

    /**
     * Sets where the heap's pages of each JVM go that the command is or starts.
     *
     * @param library libberth.so, as the command sees it; empty for the one in the folder of berth-exec
     */
    public LaunchWords withHeapMemory(HeapPolicy policy, Optional<String> library) {
        LaunchWords words = with("--heap-memory", policy.toString());
        return library.isPresent() ? words.with("--library", library.get()) : words;
    }

    /**
     * Whether a command that cannot be bound is not run (the default), or is run all the same with one line on stderr.
     */
    public LaunchWords withStrict(boolean strict) {
        return with("--strict", strict ? "yes" : "no");
    }

    /**
     * The command is a {@code java} launcher with {@link AgentOptions#jvmOption the agent's option} as its first
     * argument: what that asks for is done before the JVM is started, which then need not start twice.
     */
    public LaunchWords withAgent() {
        return with("--agent", "yes");
    }

    /**
     * The lease is for another process, which the caller binds: a lease that others may not see moves with that one when they use its
     * CPUs, and the command stays.
     */
    public LaunchWords withFollowed(long pid) {
        return with("--follow", Long.toString(pid));
    }

    /** All words up to the one before the command. */
    public List<String> words() {
        List<String> all = new ArrayList<>(words);
        all.add("--");
        return List.copyOf(all);
    }

    /** All words and the command. */
    public List<String> before(List<String> command) {
        List<String> all = new ArrayList<>(words());
        all.addAll(command);
        return List.copyOf(all);
    }

    private LaunchWords with(String option, String value) {
        List<String> all = new ArrayList<>(words);
        all.add(option);
        all.add(value);
        return new LaunchWords(all);
    }
}
