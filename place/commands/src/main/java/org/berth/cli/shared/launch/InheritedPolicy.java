package org.berth.cli.shared.launch;

import java.nio.file.Path;
import org.berth.cli.shared.Terminal;
import org.berth.observation.memory.ProcessMemoryPolicy;
import org.berth.placement.MemoryMode;

/** The memory policy that a command inherits from the caller of {@code berth}, as by {@code numactl}. */
public final class InheritedPolicy {
    private InheritedPolicy() {}

    /**
     * Reports it where it stays.
     *
     * @param memory the mode of the command
     * @param defaultPolicy whether the user asked for the kernel's default policy in its place
     */
    public static void note(Terminal terminal, MemoryMode memory, boolean defaultPolicy) {
        if (memory == MemoryMode.LOCAL && !defaultPolicy) {
            ProcessMemoryPolicy.inherited(Path.of("/"))
                    .ifPresent(policy -> terminal.err()
                            .println("berth: note: the inherited memory policy " + policy
                                    + " stays; --memory local gives it up"));
        }
    }
}
