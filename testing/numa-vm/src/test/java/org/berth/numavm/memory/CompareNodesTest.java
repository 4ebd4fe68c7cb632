package org.berth.numavm.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
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
import org.berth.numavm.Guest;
import org.berth.numavm.GuestJava;
import org.berth.topology.CpuSet;
import org.berth.topology.Topology;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;

/**
 * {@code berth compare} where there are several nodes: each run of a program counts its own pages in
 * /proc/self/numa_maps and prints what it may use; that is compared with what {@code compare} wrote about the run, and
 * what numactl was told. */
@Tag(Guest.TAG)
@Tag("compare")
@Timeout(400) // it prints a line for each run
class CompareNodesTest {
    private static final long BYTES = 60_000_000;

    /**
     * Fills memory, waits until compare has read /proc/PID/numa_maps once more, from its opening to its closing, then tells. The
     * kernel says so by inotify, for which perl has no module of its own. It is no JVM, whose memory would not keep still.
     */
    private static final String FILL = """
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
            """.formatted(BYTES, inotify(294, 26, 318), inotify(254, 27, 276));

    /** The number of a system call on x86-64, on aarch64 and on ppc64le; the guest's perl has none of its modules that know it. */
    private static int inotify(int x86, int aarch64, int ppc64le) {
        return switch (System.getProperty("os.arch")) {
            case "aarch64" -> aarch64;
            case "ppc64le" -> ppc64le;
            default -> x86;
        };
    }

    /**
     * Touches memory again and again: until the kernel has seen it by a hint fault where it balances (a thread is sampled after
     * about a second), and for two seconds where it does not. There the kernel may take no page out of the page tables; its count of
     * hint faults may still rise by pages of other processes that it took out before; so where it balances it must also have taken out
     * pages anew. Then it goes on for three seconds, for the samples that compare takes.
     */
    private static final String TOUCH = """
                my $x = 'x' x 8_000_000;
                sub counts { my %c; open(my $v, '<', '/proc/vmstat'); while (<$v>) { $c{$1} = $2 if /^(numa_\\w+) (\\d+)/ } %c }
                open(my $b, '<', '/proc/sys/kernel/numa_balancing'); my $on = 0 + <$b>;
                my %before = counts(); my %now; my $seen; my $end = time + ($on ? 60 : 2);
                do {
                    for (my $i = 0; $i < length $x; $i += 4096) { substr($x, $i, 1) = 'y' }
                    %now = counts();
                    my $all = ! grep { $now{$_} == $before{$_} } qw(numa_pte_updates numa_hint_faults);
                    $seen = time if $on && $all && ! $seen;
                } until time > $end || ($seen && time >= $seen + 3);
                print "balancing $on\\n";
                print "$_ ", $now{$_} - $before{$_}, "\\n" for qw(numa_pte_updates numa_hint_faults);
                """;

    /** Its own words bind the CPUs to node 0 and the memory to node 1. */
    private static final String FAR = "${FAR:+numactl --cpunodebind=0 --membind=1}";

    /** The look was before the program opened its files and made strings of them. */
    private static final long MOST_DIFFERENT_BYTES = 256 << 10;

    private static final Path BALANCING = Path.of("/proc/sys/kernel/numa_balancing");

    private final Topology machine = Guest.topology();

    /** The arms without and with balancing are those of the other test. */
    @Test
    @EnabledIf(value = "org.berth.numavm.Guest#isThorough", disabledReason = "takes a minute: before a release")
    void comparePrintsThePagesOfEachNodeAndTheRemoteShareAsItsRunsSawThem() throws Exception {
        Results found = compare(
                "--levels",
                "none",
                "--numactl",
                "--arm",
                "far=FAR=1 --level none",
                "--",
                "sh",
                "-c",
                "exec " + FAR + " perl -e \"$0\"",
                FILL);
        for (int node : machine.nodeSet().toArray()) {
            found.require("numactl-" + node, cpusOf(node), node, machine);
        }
        found.require("far", cpusOf(0), 1, machine);
        found.require("none", machine.cpuSet(), -1, machine);
    }

    @Test
    @EnabledIf(value = "org.berth.numavm.Guest#isThorough", disabledReason = "takes a minute: before a release")
    void balanceOrBindGivesEachArmItsCpusAndItsConditionAndFollowsTheKernelsCounts() throws Exception {
        String usual = Files.readString(BALANCING);
        Results found = compare(
                "--balance-or-bind",
                "--",
                "perl",
                "-e",
                TOUCH + "open(my $t, '<', '/proc/self/status'); print grep { /allowed_list/ } <$t>;");
        for (String arm : List.of("none", "bind", "balance", "bind+balance")) {
            boolean balanced = arm.endsWith("balance");
            String name = arm.replace('+', '_');
            CpuSet cpus = arm.startsWith("bind") ? cpusOf(0) : machine.cpuSet();
            assertThat(field(found.log(name), "Cpus_allowed_list"))
                    .as("CPUs of " + arm)
                    .isEqualTo(cpus.toString());
            found.requireBalancing(name, balanced ? 1 : 0);
            found.requireSamples(arm, balanced);
        }
        assertThat(Files.readString(BALANCING))
                .as(BALANCING + " after all runs")
                .isEqualTo(usual);
    }

    private CpuSet cpusOf(int node) {
        return machine.numaNode(node).orElseThrow().cpuSet();
    }

    /** What compare says is printed at once: it takes more than a minute. */
    private static Results compare(String... options) throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory("compare").resolve("r");
        List<String> words = new ArrayList<>(List.of("compare", "--runs", "1", "--results", folder.toString()));
        words.addAll(List.of(options));
        ProcessBuilder builder = new ProcessBuilder(GuestJava.berthCommand(words))
                .inheritIO()
                .redirectInput(ProcessBuilder.Redirect.PIPE);
        Process compare = builder.start();
        try {
            assertThat(compare.waitFor()).as("exit code of compare").isZero();
        } finally {
            compare.destroyForcibly().waitFor();
        }
        return new Results(folder, Files.readString(folder.resolve("trials.jsonl")));
    }

    /**
     * What compare wrote.
     *
     * @param folder with a log of each run
     * @param trials a line for each run
     */
    private record Results(Path folder, String trials) {

        /** What compare itself followed: nothing happens without balancing, and with it the faults that the program saw are there. */
        private void requireSamples(String arm, boolean balanced) throws IOException {
            String timeline = Files.readAllLines(folder.resolve("timelines.jsonl")).stream()
                    .filter(line -> line.contains("\"arm\":\"" + arm + "\""))
                    .collect(Collectors.joining());
            Matcher updates = Pattern.compile("\"pteUpdates\":(\\d+)").matcher(timeline);
            long last = -1;
            while (updates.find()) {
                assertThat(Long.parseLong(updates.group(1)) >= last)
                        .as("counts of " + arm + " fall: " + timeline)
                        .isTrue();
                last = Long.parseLong(updates.group(1));
            }
            System.out.println(arm + ": " + last + " page table entries by the last sample");
            assertThat(balanced ? last > 0 : last == 0)
                    .as("page table entries of " + arm + ": " + last)
                    .isTrue();
            assertThat(timeline.contains("\"remoteShare\":0"))
                    .as("no remote share of " + arm + " in " + timeline)
                    .isTrue();
        }

        /**
         * One arm: where the kernel let it run, and that both counts of its pages agree.
         *
         * @param home node of all that it filled; -1 for any
         */
        private void require(String arm, CpuSet cpus, int home, Topology machine) throws IOException {
            String log = log(arm);
            assertThat(field(log, "Cpus_allowed_list")).as("CPUs of " + arm).isEqualTo(cpus.toString());
            Map<Integer, Long> own = new TreeMap<>();
            log.lines().filter(line -> line.startsWith("node ")).forEach(line -> {
                String[] words = line.split(" ", -1);
                own.put(Integer.parseInt(words[1]), Long.parseLong(words[2]));
            });
            Map<Integer, Long> told = bytes(arm);
            System.out.println(arm + ": " + told + " told, " + own + " counted, remote " + remoteShare(arm));
            for (int node : machine.nodeSet().toArray()) {
                long difference = Math.abs(own.getOrDefault(node, 0L) - told.getOrDefault(node, 0L));
                assertThat(difference <= MOST_DIFFERENT_BYTES)
                        .as(arm + " has " + own + " and compare told " + told)
                        .isTrue();
            }
            if (home >= 0) {
                assertThat(own.getOrDefault(home, 0L) >= BYTES)
                        .as(arm + " has " + own + " for node " + home)
                        .isTrue();
            }
            long near = 0;
            for (int node : machine.nodesOf(cpus).toArray()) {
                near += own.getOrDefault(node, 0L);
            }
            double remote = 1 - (double) near / sum(own);
            // The share is over all looks, also those at a program that was still small.
            assertThat(Math.abs(remote - remoteShare(arm)) < 0.15)
                    .as(arm + " is remote by " + remote + " at its end and compare told " + remoteShare(arm))
                    .isTrue();
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
            assertThat(counts.getOrDefault("balancing", -1L))
                    .as("numa_balancing in " + arm)
                    .isEqualTo((long) mode);
            if (mode == 1) {
                assertThat(counts.getOrDefault("numa_hint_faults", 0L) > 0)
                        .as(arm + " without hint faults: " + counts)
                        .isTrue();
            } else {
                assertThat(counts.getOrDefault("numa_pte_updates", -1L))
                        .as("numa_pte_updates of " + arm)
                        .isEqualTo(0L);
            }
        }

        private String log(String arm) throws IOException {
            try (DirectoryStream<Path> logs = Files.newDirectoryStream(folder, "*-round-1-" + arm + ".log")) {
                return Files.readString(logs.iterator().next());
            }
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
            Matcher matcher = Pattern.compile("\"round\":1,\"arm\":\"" + arm + "\".*" + field)
                    .matcher(trials);
            assertThat(matcher.find())
                    .as("no " + field + " of " + arm + " in " + trials)
                    .isTrue();
            return matcher.group(1);
        }

        private static long sum(Map<Integer, Long> bytes) {
            return bytes.values().stream().mapToLong(Long::longValue).sum();
        }
    }

    private static String field(String log, String name) {
        return log.lines()
                .filter(line -> line.startsWith(name + ":"))
                .map(line -> line.substring(name.length() + 1).strip())
                .collect(Collectors.joining());
    }
}
