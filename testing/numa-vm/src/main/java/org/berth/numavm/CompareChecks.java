package org.berth.numavm;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.berth.topology.CpuSet;
import org.berth.topology.Topology;

/**
 * {@code berth compare} where there are several nodes: each run of a program counts its own pages in
 * /proc/self/numa_maps
 * and prints what it may use; that is compared with what {@code compare} wrote about the run, and what numactl was
 * told.
 */
final class CompareChecks {
    private static final long BYTES = 60_000_000;

    /**
     * Fills memory, waits until compare has read /proc/PID/numa_maps once more, from its opening to its closing, then
     * tells. The
     * kernel says so by inotify, for which perl has no module of its own. It is no JVM, whose memory would not keep
     * still.
     */
    private static final String FILL = """
            %s
            my $x = 'x' x %d;
            my $watch = syscall(%d, 0);
            syscall(%d, $watch, "/proc/$$/numa_maps", 0x30) < 0 and die "inotify_add_watch: $!";
            open(my $events, '<&=', $watch);
            my ($opened, $closed);
            local $SIG{ALRM} = sub { die "compare did not read numa_maps for 5 minutes" };
            alarm 300;
            while (! $closed) {
                sysread($events, my $read, 4096);
                foreach my $mask (map { (unpack('iLLL', $_))[1] } unpack('(a16)*', $read)) {
                    $opened ||= $mask & 0x20;
                    $closed ||= $opened && $mask & 0x10;
                }
            }
            my %%n; open(my $m, '<', '/proc/self/numa_maps');
            while (<$m>) { my ($k) = /kernelpagesize_kB=(\\d+)/; while (/ N(\\d+)=(\\d+)/g) { $n{$1} += $2 * $k * 1024 } }
            print "node $_ $n{$_}\\n" for sort keys %%n;
            open(my $t, '<', '/proc/self/status'); print grep { /allowed_list/ } <$t>;
            """.formatted(
                    "if ($ENV{TOUCH}) { " + touch(0) + " exit }", BYTES, inotify(294, 26, 318), inotify(254, 27, 276));

    /**
     * The number of a system call on x86-64, on aarch64 and on ppc64le; the guest's perl has none of its modules that
     * know it.
     */
    private static int inotify(int x86, int aarch64, int ppc64le) {
        return switch (System.getProperty("os.arch")) {
            case "aarch64" -> aarch64;
            case "ppc64le" -> ppc64le;
            default -> x86;
        };
    }

    /**
     * Touches memory again and again: until the kernel has seen it by a hint fault where it balances (a thread is
     * sampled after
     * about a second), and for two seconds where it does not. There the kernel may take no page out of the page tables;
     * its count of
     * hint faults may still rise by pages of other processes that it took out before; so where it balances it must also
     * have taken out pages anew.
     *
     * @param secondsAfter that it goes on for samples that compare takes
     */
    private static String touch(int secondsAfter) {
        return """
                my $x = 'x' x 8_000_000;
                sub counts { my %c; open(my $v, '<', '/proc/vmstat'); while (<$v>) { $c{$1} = $2 if /^(numa_\\w+) (\\d+)/ } %c }
                open(my $b, '<', '/proc/sys/kernel/numa_balancing'); my $on = 0 + <$b>;
                my %before = counts(); my %now; my $seen; my $end = time + ($on ? 60 : 2);
                do {
                    for (my $i = 0; $i < length $x; $i += 4096) { substr($x, $i, 1) = 'y' }
                    %now = counts();
                    my $all = ! grep { $now{$_} == $before{$_} } qw(numa_pte_updates numa_hint_faults);
                    $seen = time if $on && $all && ! $seen;
                } until time > $end || ($seen && time >= $seen + AFTER);
                print "balancing $on\\n";
                print "$_ ", $now{$_} - $before{$_}, "\\n" for qw(numa_pte_updates numa_hint_faults);
                """.replace("AFTER", Integer.toString(secondsAfter));
    }

    /** Its own words bind the CPUs to node 0 and the memory to node 1. */
    private static final String FAR = "${FAR:+numactl --cpunodebind=0 --membind=1}";

    /** The look was before the program opened its files and made strings of them. */
    private static final long MOST_DIFFERENT_BYTES = 256 << 10;

    private static final Path BALANCING = Path.of("/proc/sys/kernel/numa_balancing");

    private final Path results;
    private final String trials;

    private CompareChecks(Path results) throws IOException {
        this.results = results;
        this.trials = Files.readString(results.resolve("trials.jsonl"));
    }

    static void run(Checks checks, Topology machine) {
        // The runs are of a program that is no JVM: a second JRE would see the same, a minute later.
        if (machine.nodeSet().size() < 2 || Runtime.version().feature() > 17) {
            return;
        }
        checks.check(
                "compare tells the pages of each node and the remote share as its runs saw them themselves", () -> {
                    Path folder = Files.createTempDirectory("compare").resolve("r");
                    List<String> command = new ArrayList<>(
                            List.of("--levels", "none,numa", "--numactl", "--arm", "far=FAR=1 --level none"));
                    for (String one : List.of("1", "0")) {
                        command.addAll(List.of(
                                "--arm", "balancing-" + one + "=TOUCH=1 --level none --kernel numa-balancing=" + one));
                    }
                    String usual = Files.readString(BALANCING);
                    command.add("--");
                    command.addAll(List.of("sh", "-c", "exec " + FAR + " perl -e \"$0\"", FILL));
                    CompareChecks found = compare(folder, command);
                    for (int node : machine.nodeSet().toArray()) {
                        CpuSet cpus = machine.numaNode(node).orElseThrow().cpuSet();
                        found.require("numactl-" + node, cpus, node, machine);
                    }
                    CpuSet first = machine.numaNode(0).orElseThrow().cpuSet();
                    found.require("numa", first, 0, machine);
                    found.require("far", first, 1, machine);
                    found.require("none", machine.cpuSet(), -1, machine);
                    found.requireBalancing("balancing-1", 1);
                    found.requireBalancing("balancing-0", 0);
                    Checks.same(BALANCING + " after all runs", usual, Files.readString(BALANCING));
                });
        checks.check(
                "balance or bind: each arm has its CPUs and its condition, and the kernel's counts over time", () -> {
                    Path folder = Files.createTempDirectory("compare").resolve("r");
                    String usual = Files.readString(BALANCING);
                    CompareChecks found = compare(
                            folder,
                            List.of(
                                    "--balance-or-bind",
                                    "--",
                                    "perl",
                                    "-e",
                                    touch(5)
                                            + "open(my $t, '<', '/proc/self/status'); print grep { /allowed_list/ } <$t>;"));
                    CpuSet node = machine.numaNode(0).orElseThrow().cpuSet();
                    for (String arm : List.of("none", "bind", "balance", "bind+balance")) {
                        boolean bound = arm.startsWith("bind");
                        boolean balanced = arm.endsWith("balance");
                        String log = found.log(arm.replace('+', '_'));
                        CpuSet cpus = bound ? node : machine.cpuSet();
                        Checks.same("CPUs of " + arm, cpus.toString(), field(log, "Cpus_allowed_list"));
                        found.requireBalancing(arm.replace('+', '_'), balanced ? 1 : 0);
                        found.requireSamples(arm, balanced);
                    }
                    Checks.same(BALANCING + " after all runs", usual, Files.readString(BALANCING));
                });
    }

    private static CompareChecks compare(Path folder, List<String> options) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(LiveChecks.java());
        command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "org.berth.cli.Main", "compare"));
        command.addAll(List.of("--runs", "1", "--results", folder.toString()));
        command.addAll(options);
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        Checks.same("exit code of compare that said " + said, 0, process.waitFor());
        return new CompareChecks(folder);
    }

    /**
     * What compare itself followed: nothing happens without balancing, and with it the faults that the program saw are
     * there.
     */
    private void requireSamples(String arm, boolean balanced) throws IOException {
        String timeline = Files.readAllLines(results.resolve("timelines.jsonl")).stream()
                .filter(line -> line.contains("\"arm\":\"" + arm + "\""))
                .collect(Collectors.joining());
        Matcher updates = Pattern.compile("\"pteUpdates\":(\\d+)").matcher(timeline);
        long last = -1;
        while (updates.find()) {
            Checks.holds("counts of " + arm + " fall: " + timeline, Long.parseLong(updates.group(1)) >= last);
            last = Long.parseLong(updates.group(1));
        }
        System.out.println(arm + ": " + last + " page table entries by the last sample");
        Checks.holds("page table entries of " + arm + ": " + last, balanced ? last > 0 : last == 0);
        Checks.holds("no remote share of " + arm + " in " + timeline, timeline.contains("\"remoteShare\":0"));
    }

    /**
     * One arm: where the kernel let it run, and that both counts of its pages agree.
     *
     * @param home node of all that it filled; -1 for any
     */
    private void require(String arm, CpuSet cpus, int home, Topology machine) throws IOException {
        String log = log(arm);
        Checks.same("CPUs of " + arm, cpus.toString(), field(log, "Cpus_allowed_list"));
        Map<Integer, Long> own = new TreeMap<>();
        log.lines().filter(line -> line.startsWith("node ")).forEach(line -> {
            String[] words = line.split(" ", -1);
            own.put(Integer.parseInt(words[1]), Long.parseLong(words[2]));
        });
        Map<Integer, Long> told = bytes(arm);
        System.out.println(arm + ": " + told + " told, " + own + " counted, remote " + remoteShare(arm));
        for (int node : machine.nodeSet().toArray()) {
            long difference = Math.abs(own.getOrDefault(node, 0L) - told.getOrDefault(node, 0L));
            Checks.holds(arm + " has " + own + " and compare told " + told, difference <= MOST_DIFFERENT_BYTES);
        }
        if (home >= 0) {
            Checks.holds(arm + " has " + own + " for node " + home, own.getOrDefault(home, 0L) >= BYTES);
        }
        long near = 0;
        for (int node : machine.nodesOf(cpus).toArray()) {
            near += own.getOrDefault(node, 0L);
        }
        double remote = 1 - (double) near / sum(own);
        // The share is over all looks, also those at a program that was still small.
        Checks.holds(
                arm + " is remote by " + remote + " at its end and compare told " + remoteShare(arm),
                Math.abs(remote - remoteShare(arm)) < 0.15);
    }

    /** Under the condition the kernel samples the program's pages, and without it none. */
    private void requireBalancing(String arm, int mode) throws IOException {
        Map<String, Long> counts = new TreeMap<>();
        // perl also warns of the guest's locale.
        Pattern.compile("(?m)^(balancing|numa_\\w+) (\\d+)$")
                .matcher(log(arm))
                .results()
                .forEach(one -> counts.put(one.group(1), Long.valueOf(one.group(2))));
        System.out.println(arm + ": " + counts);
        Checks.same("numa_balancing in " + arm, (long) mode, counts.getOrDefault("balancing", -1L));
        if (mode == 1) {
            Checks.holds(arm + " without hint faults: " + counts, counts.getOrDefault("numa_hint_faults", 0L) > 0);
        } else {
            Checks.same("numa_pte_updates of " + arm, 0L, counts.getOrDefault("numa_pte_updates", -1L));
        }
    }

    private String log(String arm) throws IOException {
        try (DirectoryStream<Path> logs = Files.newDirectoryStream(results, "*-round-1-" + arm + ".log")) {
            return Files.readString(logs.iterator().next());
        }
    }

    private static String field(String log, String name) {
        return log.lines()
                .filter(line -> line.startsWith(name + ":"))
                .map(line -> line.substring(name.length() + 1).strip())
                .collect(Collectors.joining());
    }

    private Map<Integer, Long> bytes(String arm) {
        Map<Integer, Long> bytes = new TreeMap<>();
        Pattern.compile("\"(\\d+)\":(\\d+)")
                .matcher(trial(arm, "\"nodeBytes\":\\{([^}]*)}"))
                .results()
                .forEach(one -> bytes.put(Integer.parseInt(one.group(1)), Long.parseLong(one.group(2))));
        return bytes;
    }

    private double remoteShare(String arm) {
        return Double.parseDouble(trial(arm, "\"remoteShare\":([0-9.E-]+)"));
    }

    private String trial(String arm, String field) {
        Matcher matcher =
                Pattern.compile("\"round\":1,\"arm\":\"" + arm + "\".*" + field).matcher(trials);
        Checks.holds("no " + field + " of " + arm + " in " + trials, matcher.find());
        return matcher.group(1);
    }

    private static long sum(Map<Integer, Long> bytes) {
        return bytes.values().stream().mapToLong(Long::longValue).sum();
    }
}
