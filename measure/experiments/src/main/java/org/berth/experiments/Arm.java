package org.berth.experiments;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.berth.observation.internal.threads.Expectation;

/**
 * One way to run the work; the arms of an experiment differ in this and in nothing else.
 *
 * @param name short and unique in its experiment, such as {@code core}
 * @param command program and arguments, as {@link ProcessBuilder} takes them; no shell is involved
 * @param environment variables added to those of this process
 * @param expectation where threads are meant to run under this arm
 * @param kernel settings of the kernel that are switched for the runs of this arm
 * @param binding whether something binds its threads, or the kernel alone places them
 * @param processes how many processes its command starts for one run, at least 1; each line of output of several begins
 * with the index of its     process and a bar ({@code "0 | "}), as those of {@code berth split} do
 * @param elsewhere where most of the work runs if not in the command and its descendants, for which samples and the
 * kernel's account of     the command are then no measure and are not taken; usually empty
 */
public record Arm(
        String name,
        List<String> command,
        Map<String, String> environment,
        Expectation expectation,
        List<KernelSwitch> kernel,
        Binding binding,
        int processes,
        String elsewhere) {
    /** What places the threads of an arm. */
    public enum Binding {
        /** Some of them are bound, or the memory. */
        BOUND,
        /** Nothing is bound: the kernel places them, and nothing else differs from the other arms. */
        UNBOUND,
        /** The arm differs from others in something else, or places its own threads. */
        UNKNOWN
    }

    /** An arm under the kernel's present settings, of which it is not known whether something binds it. */
    public Arm(String name, List<String> command, Map<String, String> environment, Expectation expectation) {
        this(name, command, environment, expectation, List.of(), Binding.UNKNOWN);
    }

    /** An arm of one process. */
    public Arm(
            String name,
            List<String> command,
            Map<String, String> environment,
            Expectation expectation,
            List<KernelSwitch> kernel,
            Binding binding) {
        this(name, command, environment, expectation, kernel, binding, 1, "");
    }

    /** Requires a name and a command that are not empty. */
    public Arm {
        if (name.isBlank()) {
            throw new IllegalArgumentException("an arm needs a name");
        }
        if (command.isEmpty()) {
            throw new IllegalArgumentException("arm " + name + " has no command");
        }
        if (processes < 1) {
            throw new IllegalArgumentException("arm " + name + " has " + processes + " processes");
        }
        command = List.copyOf(command);
        environment = Map.copyOf(environment);
        kernel = List.copyOf(kernel);
    }

    /** The same work with more variables; its own ones win. */
    public Arm withEnvironment(Map<String, String> more) {
        Map<String, String> all = new HashMap<>(more);
        all.putAll(environment);
        return new Arm(name, command, all, expectation, kernel, binding, processes, elsewhere);
    }

    /** The same work, of which it is known whether something binds it. */
    public Arm withBinding(Binding newBinding) {
        return new Arm(name, command, environment, expectation, kernel, newBinding, processes, elsewhere);
    }

    /** The same command, which starts several processes. */
    public Arm withProcesses(int newProcesses) {
        return new Arm(name, command, environment, expectation, kernel, binding, newProcesses, elsewhere);
    }

    /** The same command, most of whose work runs outside it and its descendants; the text says where. */
    public Arm withWorkElsewhere(String where) {
        return new Arm(name, command, environment, expectation, kernel, binding, processes, where);
    }

    /** The same work under settings of the kernel, by another name. */
    public Arm under(List<KernelSwitch> newKernel, String newName) {
        return new Arm(newName, command, environment, expectation, newKernel, binding, processes, elsewhere);
    }

    /** An arm with the environment of this process, of whose threads nothing is expected. */
    public static Arm of(String name, String... command) {
        return new Arm(name, List.of(command), Map.of(), Expectation.none());
    }
}
