package org.berth.experiments;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.berth.observation.Expectation;

/**
 * One way to run the work; the arms of an experiment differ in this and in nothing else.
 *
 * @param name short and unique in its experiment, such as {@code core}
 * @param command program and arguments, as {@link ProcessBuilder} takes them; no shell is involved
 * @param environment variables added to those of this process
 * @param expectation where threads are meant to run under this arm
 * @param kernel a setting of the kernel that is switched for the runs of this arm
 */
public record Arm(
        String name,
        List<String> command,
        Map<String, String> environment,
        Expectation expectation,
        Optional<KernelSwitch> kernel) {
    /** An arm under the kernel's present settings. */
    public Arm(String name, List<String> command, Map<String, String> environment, Expectation expectation) {
        this(name, command, environment, expectation, Optional.empty());
    }

    /** Requires a name and a command that are not empty. */
    public Arm {
        if (name.isBlank()) {
            throw new IllegalArgumentException("an arm needs a name");
        }
        if (command.isEmpty()) {
            throw new IllegalArgumentException("arm " + name + " has no command");
        }
        command = List.copyOf(command);
        environment = Map.copyOf(environment);
    }

    /** An arm with the environment of this process, of whose threads nothing is expected. */
    public static Arm of(String name, String... command) {
        return new Arm(name, List.of(command), Map.of(), Expectation.none());
    }
}
