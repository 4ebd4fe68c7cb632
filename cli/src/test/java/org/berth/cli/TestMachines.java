package org.berth.cli;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.berth.machines.Machines;
import org.berth.topology.CpuSet;
import org.berth.topology.Topology;
import org.berth.topology.TopologyXml;

/** Machines for the pictures, and what their XML says without our parser. */
final class TestMachines {
    private static final Pattern PU = Pattern.compile("type=\"PU\"[^>]* os_index=\"(\\d+)\"");

    private TestMachines() {}

    /** All recorded machines and those of the literature. */
    static List<String> all() {
        return Stream.concat(Machines.names().stream(), Machines.literature().stream())
                .toList();
    }

    static Topology topology(String name) {
        return TopologyXml.parse(Machines.xml(name));
    }

    /** The numbers of all PUs, taken from the text of the XML; sorted. */
    static List<Integer> pus(String xml) {
        BitSet numbers = new BitSet();
        Matcher matcher = PU.matcher(xml);
        while (matcher.find()) {
            numbers.set(Integer.parseInt(matcher.group(1)));
        }
        return numbers.stream().boxed().toList();
    }

    /** Every number or range in the texts, written out; duplicates stay. Sorted. */
    static List<Integer> numbers(Stream<String> texts) {
        List<Integer> numbers = new ArrayList<>();
        Pattern run = Pattern.compile("(\\d+)(?:-(\\d+))?");
        texts.forEach(text -> run.matcher(text).results().forEach(match -> addRun(match, numbers)));
        numbers.sort(null);
        return numbers;
    }

    private static void addRun(MatchResult run, List<Integer> numbers) {
        int from = Integer.parseInt(run.group(1));
        int to = run.group(2) == null ? from : Integer.parseInt(run.group(2));
        for (int number = from; number <= to; number++) {
            numbers.add(number);
        }
    }

    /** Every second PU of the machine. */
    static CpuSet everySecond(Topology topology) {
        CpuSet cpus = CpuSet.empty();
        boolean take = true;
        for (int cpu : topology.cpuSet().toArray()) {
            cpus = take ? cpus.with(cpu) : cpus;
            take = !take;
        }
        return cpus;
    }
}
