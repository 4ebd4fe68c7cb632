package org.berth.oracle;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A filter of system calls, as container runtimes and systemd install them, on each processor that Berth supports. Perl
 * installs it, which no JDK can; everything that it does not name stays allowed. See seccomp(2).
 */
public final class SeccompFilter {
    /** The call fails with EPERM, as under Docker's profile. */
    public static final String FAIL = "0x00050001";

    /** The process ends, as under systemd's SystemCallFilter. */
    public static final String KILL = "0x80000000";

    /** The calls of this machine's processor, by the names of the kernel's headers. */
    private static final Map<String, Integer> NUMBERS = numbers(System.getProperty("os.arch"));

    private static final String SCRIPT = """
            my @numbers = (NUMBERS);
            my $filter = pack('S C C L', 0x20, 0, 0, 0);
            for my $i (0 .. $#numbers) { $filter .= pack('S C C L', 0x15, @numbers - $i, 0, $numbers[$i]); }
            $filter .= pack('S C C L', 0x06, 0, 0, 0x7fff0000) . pack('S C C L', 0x06, 0, 0, ACTION);
            my $program = pack('S x6 P', length($filter) / 8, $filter);
            syscall(PRCTL, 38, 1, 0, 0, 0) == 0 or die "no_new_privs: $!";
            syscall(PRCTL, 22, 2, $program, 0, 0) == 0 or die "seccomp: $!";
            exec @ARGV or die "exec: $!";
            """;

    private SeccompFilter() {}

    /**
     * Words before a command, for whose process and children the action is taken at these calls.
     *
     * @throws IllegalArgumentException for a call whose number is not known here
     */
    public static List<String> prefix(String action, String... calls) {
        String numbers =
                Arrays.stream(calls).map(call -> Integer.toString(number(call))).collect(Collectors.joining(", "));
        return List.of(
                "perl",
                "-e",
                SCRIPT.replace("NUMBERS", numbers)
                        .replace("ACTION", action)
                        .replace("PRCTL", Integer.toString(number("prctl"))));
    }

    private static int number(String call) {
        Integer number = NUMBERS.get(call);
        if (number == null) {
            throw new IllegalArgumentException(
                    "the number of the system call " + call + " is not known on " + System.getProperty("os.arch"));
        }
        return number;
    }

    /** The numbers of the headers asm/unistd.h; aarch64 and riscv64 share theirs. */
    private static Map<String, Integer> numbers(String architecture) {
        return switch (architecture) {
            case "amd64" ->
                Map.ofEntries(
                        Map.entry("get_mempolicy", 239),
                        Map.entry("ioprio_set", 251),
                        Map.entry("mbind", 237),
                        Map.entry("memfd_create", 319),
                        Map.entry("migrate_pages", 256),
                        Map.entry("move_pages", 279),
                        Map.entry("prctl", 157),
                        Map.entry("sched_setaffinity", 203),
                        Map.entry("sched_setattr", 314),
                        Map.entry("sched_setparam", 142),
                        Map.entry("sched_setscheduler", 144),
                        Map.entry("set_mempolicy", 238),
                        Map.entry("set_mempolicy_home_node", 450),
                        Map.entry("setpriority", 141),
                        Map.entry("setrlimit", 160));
            case "aarch64", "riscv64" ->
                Map.ofEntries(
                        Map.entry("get_mempolicy", 236),
                        Map.entry("ioprio_set", 30),
                        Map.entry("mbind", 235),
                        Map.entry("memfd_create", 279),
                        Map.entry("migrate_pages", 238),
                        Map.entry("move_pages", 239),
                        Map.entry("prctl", 167),
                        Map.entry("sched_setaffinity", 122),
                        Map.entry("sched_setattr", 274),
                        Map.entry("sched_setparam", 118),
                        Map.entry("sched_setscheduler", 119),
                        Map.entry("set_mempolicy", 237),
                        Map.entry("set_mempolicy_home_node", 450),
                        Map.entry("setpriority", 140),
                        Map.entry("setrlimit", 164));
            case "ppc64le" ->
                Map.ofEntries(
                        Map.entry("get_mempolicy", 260),
                        Map.entry("ioprio_set", 273),
                        Map.entry("mbind", 259),
                        Map.entry("memfd_create", 360),
                        Map.entry("migrate_pages", 258),
                        Map.entry("move_pages", 301),
                        Map.entry("prctl", 171),
                        Map.entry("sched_setaffinity", 222),
                        Map.entry("sched_setattr", 355),
                        Map.entry("sched_setparam", 154),
                        Map.entry("sched_setscheduler", 156),
                        Map.entry("set_mempolicy", 261),
                        Map.entry("set_mempolicy_home_node", 450),
                        Map.entry("setpriority", 97),
                        Map.entry("setrlimit", 75));
            default -> Map.of();
        };
    }
}
