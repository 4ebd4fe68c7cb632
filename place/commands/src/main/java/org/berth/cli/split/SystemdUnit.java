package org.berth.cli.split;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.berth.cli.shared.CommandException;

/**
 * A template unit of systemd for the processes of a split, and the target that starts them all. Pure.
 *
 * @see <a href="https://www.freedesktop.org/software/systemd/man/latest/systemd.service.html">systemd.service(5)</a>, section
 *     Command lines, for the quoting
 */
final class SystemdUnit {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9:_.-]{1,200}");
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_./:=+,@{}-]+");

    private SystemdUnit() {}

    /** A usage error for a name that no unit can have. */
    static String requireName(String name) {
        if (!NAME.matcher(name).matches()) {
            throw CommandException.usage(
                    "--systemd " + name + ": the name of a unit has letters, digits, ':', '_', '.' and '-'");
        }
        return name;
    }

    /**
     * The two files by their name.
     *
     * @param before the words up to the index of the process: berth split and its options
     * @param after the words behind it: more options and the command
     */
    static Map<String, String> files(
            String name, int processes, List<String> before, List<String> after, Path folder, RestartPolicy restart) {
        String instances = IntStream.range(0, processes)
                .mapToObj(index -> name + "@" + index + ".service")
                .collect(Collectors.joining(" "));
        String again = restart.when() == RestartPolicy.When.NEVER
                ? ""
                : "Restart=" + (restart.when() == RestartPolicy.When.ALWAYS ? "always" : "on-failure")
                        + "\nRestartSec=1\n";
        String service = """
                # One process of %d, each in its part of the host: made by 'berth split --systemd'.
                [Unit]
                Description=%s, process %%i of %d
                PartOf=%s.target
                After=network.target

                [Service]
                Type=exec
                ExecStart=%s %%i %s
                WorkingDirectory=%s
                # A JVM that SIGTERM ends has this exit code.
                SuccessExitStatus=143
                %s
                [Install]
                WantedBy=%s.target
                """.formatted(
                processes, name, processes, name, words(before), words(after), value(folder.toString()), again, name);
        String target = """
                # All %d processes: systemctl start %s.target
                [Unit]
                Description=%s, %d processes in parts of this host
                Wants=%s

                [Install]
                WantedBy=multi-user.target
                """.formatted(processes, name, name, processes, instances);
        return new TreeMap<>(Map.of(name + "@.service", service, name + ".target", target));
    }

    private static String words(List<String> words) {
        return words.stream().map(SystemdUnit::word).collect(Collectors.joining(" "));
    }

    private static String word(String word) {
        String value = value(word).replace("$", "$$");
        if (PLAIN.matcher(word).matches()) {
            return value;
        }
        StringBuilder quoted = new StringBuilder("\"");
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            switch (c) {
                case '"', '\\' -> quoted.append('\\').append(c);
                case '\n' -> quoted.append("\\n");
                case '\t' -> quoted.append("\\t");
                default -> quoted.append(c);
            }
        }
        return quoted.append('"').toString();
    }

    private static String value(String text) {
        return text.replace("%", "%%");
    }
}
