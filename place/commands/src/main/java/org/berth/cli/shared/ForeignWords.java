package org.berth.cli.shared;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.berth.topology.CpuSet;

/**
 * Words of other tools that users type out of habit, each with the line of Berth that does the same. A table of their commands and
 * options that Berth does not know; a word that it knows never comes here.
 */
public final class ForeignWords {
    /**
     * One word.
     *
     * @param tool whose word it is
     * @param command of Berth after which it stands; empty for any
     * @param words spellings
     * @param line what to type, or why there is nothing
     */
    public record Row(String tool, String command, List<String> words, String line) {}

    /** All words; the first row that fits counts. */
    public static final List<Row> TABLE = List.of(
            row("numactl", "", "numactl", "berth run -N 0 -m 0 -- COMMAND"),
            row("numactl", "", "--hardware -H", "berth topo"),
            row("numactl", "", "--show -s", "berth status $$"),
            row("numactl", "", "--cpunodebind -N --membind -m", "berth run -N 0 -m 0 -- COMMAND"),
            row("numactl", "", "--physcpubind -C", "berth run -C 0-3 -- COMMAND"),
            row("numactl", "", "--interleave -i", "berth run -i all -- COMMAND"),
            row("numactl", "", "--preferred --preferred-many -P", "berth run -p 0 -- COMMAND"),
            row("numactl", "", "--localalloc -l", "berth run -l -- COMMAND"),
            row("numactl", "", "--balancing -b", "berth run --memory bind-balance -- COMMAND"),
            row("numactl", "", "--weighted-interleave -w", "berth run --memory weighted -- COMMAND"),
            row(
                    "numactl",
                    "",
                    "--all",
                    "berth run --cpus all -- COMMAND (a command never gets more than this process may use)"),
            row("taskset", "", "taskset", "berth run -c 0-3 -- COMMAND, or berth bind --cpus 0-3 PID"),
            row("taskset", "bind", "-c --cpu-list -pc -cp -apc", "berth bind --cpus 0-3 PID"),
            row("taskset", "bind", "-p --pid", "berth bind --cpus 0-3 PID"),
            row("taskset", "run", "--pid", "berth bind --cpus 0-3 PID"),
            row("taskset", "", "-p --pid", "berth bind --cpus 0-3 PID; berth status PID shows what it has"),
            row("taskset", "", "-c --cpu-list -pc -cp", "berth run -c 0-3 -- COMMAND, or berth bind --cpus 0-3 PID"),
            row("taskset", "", "-a --all-tasks", "berth bind --cpus 0-3 PID, which binds all threads"),
            row("lstopo", "", "lstopo lstopo-no-graphics hwloc-ls hwloc-info", "berth topo"),
            row("lstopo", "topo", "--of --output-format -f", "berth topo --svg FILE, or --xml FILE"),
            row("lstopo", "topo", "--whole-system --disallowed", "berth topo --whole"),
            row("lstopo", "topo", "--ps --top", "berth status"),
            row("lstopo", "topo", "--pid", "berth status PID"),
            row("lstopo", "topo", "-i", "berth topo --input FILE"),
            row(
                    "lstopo",
                    "topo",
                    "--no-io --only --merge --no-caches",
                    "berth topo, which always shows the same objects"),
            row("hwloc-ps", "", "hwloc-ps ps", "berth status"),
            row("hwloc-bind", "", "hwloc-bind", "berth run --domain core:2 -- COMMAND, or berth bind --level core PID"),
            row("hwloc-bind", "", "--cpubind", "berth run --cpus 0-3 -- COMMAND, or --domain core:2"),
            row("hwloc-bind", "", "--mempolicy", "berth run --memory bind -- COMMAND"),
            row("hwloc-bind", "", "--get", "berth status PID"),
            row("hwloc-distrib", "", "hwloc-distrib hwloc-calc", "berth plan --level core --workers 4"),
            row("hwloc-diff", "", "hwloc-diff", "berth topo --diff live FILE"),
            row("numastat", "", "numastat", "berth status PID"),
            row("numad", "", "numad", "berth run --domain numa -- COMMAND"),
            row("likwid", "", "likwid-pin", "berth run --cpus 0-3 -- COMMAND"),
            row("likwid", "", "likwid-topology", "berth topo"),
            row("likwid", "", "likwid-perfctr likwid-bench", "berth compare -- COMMAND, or berth bench bandwidth"),
            row("hyperfine", "", "hyperfine", "berth compare -- COMMAND"),
            row("hyperfine", "compare", "--export-markdown", "berth compare --export FILE.md -- COMMAND"),
            row("hyperfine", "compare", "--export-json", "berth compare --json FILE -- COMMAND"),
            row(
                    "hyperfine",
                    "compare",
                    "--export-csv --export-asciidoc",
                    "berth compare --results DIR -- COMMAND, whose trials.csv has each run"),
            row("hyperfine", "compare", "--min-runs -m", "berth compare --until-decided -- COMMAND"),
            row("hyperfine", "compare", "--max-runs -M -r", "berth compare --runs 20 -- COMMAND"),
            row(
                    "hyperfine",
                    "compare",
                    "--parameter-list --parameter-scan -L -P --command-name -n",
                    "berth compare --arm \"NAME=VARIABLE=VALUE --level none\" -- COMMAND"),
            row("hyperfine", "compare", "--shell -S -N", "berth compare -- sh -c 'COMMAND'"),
            row(
                    "hyperfine",
                    "compare",
                    "--ignore-failure -i",
                    "berth compare -- COMMAND, which goes on after runs that fail and counts them"),
            row(
                    "hyperfine",
                    "compare",
                    "--reference",
                    "berth compare --levels none,core -- COMMAND: the first is the baseline"),
            row(
                    "hyperfine",
                    "compare",
                    "--show-output --output",
                    "berth compare --results DIR -- COMMAND, which keeps the output of each run"));

    private static final Map<String, String> LEVELS = Map.ofEntries(
            Map.entry("socket", "package"),
            Map.entry("pack", "package"),
            Map.entry("die", "package"),
            Map.entry("node", "numa"),
            Map.entry("numanode", "numa"),
            Map.entry("cache", "l3"),
            Map.entry("llc", "l3"),
            Map.entry("l3cache", "l3"),
            Map.entry("thread", "pu"),
            Map.entry("hwthread", "pu"),
            Map.entry("smt", "pu"),
            Map.entry("machine", "none"));

    /** "S0:0-3", "N:0-7", "E:N:8:1:2" of likwid-pin. */
    private static final Pattern LIKWID = Pattern.compile("(?:E:)?([NSDCM])(\\d*):([\\d,-]+)(?:[:@].*)?");

    /** "core:0-3" of hwloc-bind. */
    private static final Pattern HWLOC =
            Pattern.compile("(?i)(pu|core|l3|l3cache|node|numanode|numa|socket|package|pack|machine|all):(.*)");

    private static final Pattern MASK = Pattern.compile("0[xX][0-9a-fA-F]{1,64}");
    private static final int HEXADECIMAL = 16;
    private static final int BITS_OF_DIGIT = 4;

    private ForeignWords() {}

    private static Row row(String tool, String command, String words, String line) {
        return new Row(tool, command, List.of(words.split(" ", -1)), line);
    }

    /**
     * The end of a message about an unknown command or option, if another tool has it.
     *
     * @param command the command of Berth after which it stands; empty for none
     */
    public static Optional<String> hint(String command, String word) {
        String name = word.replaceFirst("=.*", "");
        return TABLE.stream()
                .filter(row -> row.command().isEmpty() || row.command().equals(command))
                .filter(row -> row.words().contains(name))
                .findFirst()
                .map(row -> "; " + row.tool() + " has it, and here it is: " + row.line());
    }

    /** The end of a message about an unknown level, if another tool has the word; otherwise nothing. */
    public static String levelHint(String text) {
        return Optional.ofNullable(LEVELS.get(text.toLowerCase(Locale.ROOT)))
                .map(level -> "; here '" + text + "' is '" + level + "'")
                .orElse("");
    }

    /** The end of a message about a list of CPUs, if it is an expression of another tool; otherwise nothing. */
    public static String cpusHint(String text) {
        Matcher likwid = LIKWID.matcher(text);
        if (likwid.matches()) {
            return "; likwid has it, and here it is: " + likwid(text, likwid);
        }
        Matcher hwloc = HWLOC.matcher(text);
        if (hwloc.matches()) {
            return "; hwloc has it, and here it is: " + domain(hwloc.group(1).toLowerCase(Locale.ROOT), hwloc.group(2));
        }
        if (MASK.matcher(text).matches()) {
            return "; taskset has such masks, and here it is: --cpus " + ofMask(text.substring(2));
        }
        return "";
    }

    private static String likwid(String text, Matcher likwid) {
        if (text.startsWith("E:")) {
            return "--domain core:" + likwid.group(3);
        }
        String select = likwid.group(2).isEmpty() ? "" : " --select " + likwid.group(2);
        return switch (likwid.group(1)) {
            case "N" -> "--cpus +" + likwid.group(3);
            case "M" -> "--domain numa" + select;
            case "C" -> "--domain l3" + select;
            default -> "--domain package" + select;
        };
    }

    private static String domain(String type, String index) {
        String select = index.matches("\\d+") ? " --select " + index : "";
        return switch (type) {
            case "pu", "core" -> "--domain core:K for K cores; 'berth topo' shows the CPUs of each";
            case "l3", "l3cache" -> "--domain l3" + select;
            case "node", "numanode", "numa" -> "--domain numa" + select;
            case "machine", "all" -> "--cpus all";
            default -> "--domain package" + select;
        };
    }

    private static CpuSet ofMask(String digits) {
        List<Integer> cpus = new ArrayList<>();
        for (int i = 0; i < digits.length(); i++) {
            int digit = Character.digit(digits.charAt(digits.length() - 1 - i), HEXADECIMAL);
            for (int bit = 0; bit < BITS_OF_DIGIT; bit++) {
                if ((digit >> bit & 1) == 1) {
                    cpus.add(BITS_OF_DIGIT * i + bit);
                }
            }
        }
        return CpuSet.of(cpus.stream().mapToInt(Integer::intValue).toArray());
    }
}
