package org.berth.machines;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Numbers of PUs as texts give them, read without Berth's own parsers. */
public final class MachineNumbers {
    private static final Pattern PU = Pattern.compile("type=\"PU\"[^>]* os_index=\"(\\d+)\"");
    private static final Pattern RUN = Pattern.compile("(\\d+)(?:-(\\d+))?");

    private MachineNumbers() {}

    /** The OS indexes of all PUs, taken from the text of the XML; sorted. */
    public static List<Integer> pus(String xml) {
        BitSet numbers = new BitSet();
        Matcher matcher = PU.matcher(xml);
        while (matcher.find()) {
            numbers.set(Integer.parseInt(matcher.group(1)));
        }
        return numbers.stream().boxed().toList();
    }

    /** Every number or range in the texts, written out; duplicates stay. Sorted. */
    public static List<Integer> expand(Stream<String> texts) {
        List<Integer> numbers = new ArrayList<>();
        texts.forEach(text -> RUN.matcher(text).results().forEach(match -> addRun(match, numbers)));
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
}
