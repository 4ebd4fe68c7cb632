package org.berth.cli.shared.arguments;

import java.util.ArrayList;
import java.util.List;
import org.berth.cli.shared.CommandException;

/** Process ids on the command line. */
public final class PidArguments {
    private PidArguments() {}

    /** Each id once, in the given order. */
    public static List<Integer> parse(List<String> words) {
        List<Integer> pids = new ArrayList<>();
        for (String word : words) {
            int pid = parse(word);
            if (!pids.contains(pid)) {
                pids.add(pid);
            }
        }
        return pids;
    }

    public static int parse(String word) {
        try {
            int pid = Integer.parseInt(word);
            if (pid > 0 && Character.isDigit(word.charAt(0))) {
                return pid;
            }
        } catch (NumberFormatException notANumber) {
            // Reported below like any other wrong number.
        }
        throw CommandException.usage(
                "'" + word + "' is not a process id; give numbers such as 4242 ('jcmd' or 'ps -e' list them)");
    }
}
