package org.berth.yarn;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.berth.binding.internal.launch.DomainRequest;
import org.berth.binding.internal.launch.HeapPolicy;
import org.berth.binding.internal.launch.LaunchWords;
import org.berth.placement.MemoryMode;

/**
 * A container's command, to be run inside a domain. Hadoop writes {@code exec /bin/bash -c "COMMANDS"} as the last line
 * of the script that starts a container. Text in front of the commands makes that shell become {@code berth-exec},
 * which
 * takes a lease, binds itself, and becomes a shell with what stands behind the mark: the commands as they were. A pure
 * function.
 *
 * <p>Where {@code berth-exec} cannot be run, or the ledger is not there, as in the image of a container that does not
 * mount them, one line goes to {@code prelaunch.err}, and the commands run all the same.
 *
 * @param launcher the program berth-exec, as the container sees it
 * @param leases directory of the ledger, likewise
 * @param memory how new pages follow
 * @param heap how the pages of the heaps of its JVMs are placed; empty for those of all memory
 * @param library libberth.so, as the container sees it; empty for the one in the folder of the launcher
 * @param exclusive whether no other process gets the domain
 * @param strict whether a container that cannot be bound fails
 */
record LaunchCommand(
        String launcher,
        String leases,
        MemoryMode memory,
        Optional<HeapPolicy> heap,
        Optional<String> library,
        boolean exclusive,
        boolean strict) {
    /** Stands in the command line of the shell as long as it is not the container's command. */
    static final String SIGN = "berth-[e]nd";

    /** The sign, as a pattern, matches this text and not itself. */
    private static final String END = ": berth-end;";

    /** {@code BASH_EXECUTION_STRING} is what stands behind -c; it spares all quoting (bash(1), since 3.0). */
    private static final String REST = "-c \"${BASH_EXECUTION_STRING#*: " + SIGN + ";}\"";

    /**
     * The commands, run inside a domain.
     *
     * @param commands as the application gave them
     * @param domain the kind of lease
     * @param name what the lease is called
     * @return the same when they are so already
     */
    List<String> wrap(List<String> commands, String domain, String name) {
        if (commands.isEmpty() || commands.get(0).contains(SIGN)) {
            return commands;
        }
        List<String> wrapped = new ArrayList<>();
        wrapped.add(inDoubleQuotes(prefix(domain, name)) + " " + END);
        wrapped.addAll(commands);
        return wrapped;
    }

    /** First checks whether it can be run: of another version or for another machine it would end the container. */
    private String prefix(String domain, String name) {
        List<String> attempt = LaunchWords.of(launcher).withStrict(false).before(List.of("true"));
        return "if [ -d " + leases + " ] && " + String.join(" ", attempt) + " 2>/dev/null; then exec "
                + String.join(" ", withHeap(words(domain, name, strict)).words()) + " /bin/bash " + REST + "; fi; "
                + "echo \"berth: " + launcher + " cannot be run here, or " + leases
                + " is not there: this container " + (strict ? "fails" : "runs unbound") + "\" >&2; "
                + (strict ? "exit 126; " : "exec /bin/bash " + REST + "; ");
    }

    private LaunchWords withHeap(LaunchWords words) {
        return heap.map(policy -> words.withHeapMemory(policy, library)).orElse(words);
    }

    /** Starts a process in a domain; a shell needs no quotes for any of the words. */
    LaunchWords words(String domain, String name, boolean strict) {
        DomainRequest request = DomainRequest.of(domain)
                .withSelect(exclusive ? "exclusive" : "free")
                .withLeases(leases)
                .withName(name);
        return LaunchWords.of(launcher).withStrict(strict).withDomain(request).withMemory(memory);
    }

    private static String inDoubleQuotes(String text) {
        return text.replace("\\", "\\\\")
                .replace("\"", "\\\"")
                .replace("$", "\\$")
                .replace("`", "\\`");
    }
}
