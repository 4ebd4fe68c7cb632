package org.berth.cli.tune;

import java.util.List;

/**
 * A command that starts several processes at once and waits for all. Each line of their output stands behind the index of its process,
 * as with {@code berth split}; the exit code is the largest one.
 */
final class ProcessScript {
    private ProcessScript() {}

    /**
     * The words of the command.
     *
     * @param lines a shell's line for each process
     */
    static List<String> of(List<String> lines) {
        StringBuilder script = new StringBuilder();
        // Files, and no pipes: a reader would compete with the processes for their CPUs.
        script.append("folder=$(mktemp -d) || exit 1\n")
                .append("print() {\n  for file in \"$folder\"/*; do sed \"s/^/${file##*/} | /\" \"$file\"; done\n")
                .append("  rm -r \"$folder\"\n}\n")
                .append("trap 'print; exit 143' TERM\n");
        for (int i = 0; i < lines.size(); i++) {
            script.append(lines.get(i)).append(" >\"$folder/").append(i).append("\" 2>&1 &\npids=\"$pids $!\"\n");
        }
        script.append("status=0\n")
                .append("for pid in $pids; do\n  wait \"$pid\"\n  code=$?\n")
                .append("  [ \"$code\" -le \"$status\" ] || status=$code\ndone\nprint\nexit \"$status\"\n");
        return List.of("sh", "-c", script.toString());
    }
}
