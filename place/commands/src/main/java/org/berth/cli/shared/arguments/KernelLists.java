package org.berth.cli.shared.arguments;

import java.util.List;
import java.util.Optional;
import org.berth.cli.shared.CommandException;
import org.berth.cli.shared.TargetMachine;
import org.berth.topology.CpuSet;
import org.berth.topology.NodeSet;

/**
 * Lists of CPUs and nodes as numactl(8) has them: {@code 0-3,8}, {@code all}, {@code same}, {@code +0-1} (the first two of those that the
 * process may use) and {@code !0} (all that it may use but these).
 */
public final class KernelLists {
    private static final List<String> DEVICES = List.of("netdev:", "block:", "pci:");

    private KernelLists() {}

    /** Whether a list says more than numbers. */
    static boolean isWord(String text) {
        return text.equals("all") || text.equals("same") || text.startsWith("+") || text.startsWith("!");
    }

    /** A usage error for a relative list of {@code --cpus} with another machine, because it counts what this process may use. */
    public static void requireNoRelative(Optional<String> cpus, Optional<String> topology) {
        if (topology.isPresent() && cpus.isPresent() && cpus.get().matches("!?\\+.*")) {
            throw CommandException.usage(
                    "--cpus " + cpus.get()
                            + ": a relative list counts the CPUs of this process, and --topology is another machine; write numbers");
        }
    }

    /** The device of {@code netdev:NAME}, {@code block:NAME} or {@code pci:ID}; a usage error for those that Berth does not trace here. */
    public static Optional<String> device(String option, String text) {
        if (text.startsWith("file:") || text.startsWith("ip:")) {
            throw CommandException.usage(option + " " + text + ": name the device, as in netdev:eth0 or block:sda;"
                    + " 'berth topo' lists them");
        }
        return DEVICES.stream()
                .filter(text::startsWith)
                .map(kind -> text.substring(kind.length()))
                .findFirst();
    }

    /** Nodes of a list; a usage error when it is none, or empty. */
    public static NodeSet nodes(String option, String text, NodeSet allowed) {
        return NodeSet.of(numbers(option, text, allowed.toArray()));
    }

    /** CPUs of a list, which may have no end; a usage error when it is none, or empty. */
    static CpuSet cpus(String option, String text) {
        if (text.equals("all") || text.equals("same")) {
            return CpuSet.full();
        }
        if (text.startsWith("!") && !text.startsWith("!+")) {
            return CpuSet.full().minus(list(option, text, text.substring(1)));
        }
        return CpuSet.of(numbers(
                option, text, TargetMachine.live().topology().allowedCpuSet().toArray()));
    }

    /** The numbers that are meant, whether they are allowed or not. */
    private static int[] numbers(String option, String text, int[] allowed) {
        if (text.equals("all") || text.equals("same")) {
            return allowed;
        }
        boolean others = text.startsWith("!");
        String rest = others ? text.substring(1) : text;
        boolean relative = rest.startsWith("+");
        CpuSet named = list(option, text, relative ? rest.substring(1) : rest);
        if (relative) {
            if (named.isInfinite() || named.last() >= allowed.length) {
                throw CommandException.usage(option + " " + text + ": this process may use " + allowed.length
                        + ", +0 to +" + (allowed.length - 1));
            }
            named = CpuSet.of(named.stream().map(i -> allowed[i]).toArray());
        }
        CpuSet own = CpuSet.of(allowed);
        CpuSet meant = others ? own.minus(named) : named.isInfinite() ? named.intersection(own) : named;
        if (meant.isEmpty()) {
            throw CommandException.usage(option + " " + text + ": nothing is left; choose from " + own);
        }
        return meant.toArray();
    }

    private static CpuSet list(String option, String text, String list) {
        try {
            CpuSet numbers = CpuSet.parseList(list);
            if (!numbers.isEmpty()) {
                return numbers;
            }
        } catch (IllegalArgumentException notAList) {
            // Reported below like an empty list.
        }
        throw CommandException.usage(option + " " + text + ": write a list such as 0-3,8, all, +0-1 or !0");
    }
}
