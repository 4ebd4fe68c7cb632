package org.berth.topology;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Reads the kinds of CPUs and ranks them by efficiency, which the file does not say, as hwloc does. */
final class CpuKindReader {
    private record Draft(CpuSet cpus, int forcedEfficiency, Map<String, String> infos) {}

    private static final int UNKNOWN = -1;

    private final List<Draft> drafts = new ArrayList<>();

    /** Reads the present element and leaves it. */
    void read(XmlElements xml) {
        CpuSet cpus = xml.parse("cpuset", xml.required("cpuset"), CpuSet::parseMask);
        int forced = xml.smallNumber("forced_efficiency", UNKNOWN);
        Map<String, String> infos = new LinkedHashMap<>();
        while (xml.nextChild()) {
            if (xml.name().equals("info")) {
                ObjectReader.readInfo(xml, infos);
            }
            xml.skip();
        }
        drafts.add(new Draft(cpus, forced, infos));
    }

    /** Least efficient last when a ranking is known; else in the order of the file with efficiency -1. */
    List<CpuKind> ranked() {
        return rank(draft -> draft.forcedEfficiency == UNKNOWN
                        ? Optional.empty()
                        : Optional.of((long) draft.forcedEfficiency))
                .or(() -> rank(CpuKindReader::typeAndFrequency))
                .orElseGet(() -> drafts.stream()
                        .map(draft -> new CpuKind(drafts.size() == 1 ? 0 : UNKNOWN, draft.cpus, draft.infos))
                        .toList());
    }

    private Optional<List<CpuKind>> rank(Function<Draft, Optional<Long>> score) {
        Map<Draft, Long> scores = new LinkedHashMap<>();
        for (Draft draft : drafts) {
            Optional<Long> value = score.apply(draft);
            if (value.isEmpty()) {
                return Optional.empty();
            }
            scores.put(draft, value.get());
        }
        if (scores.size() != drafts.size() || new HashSet<>(scores.values()).size() != drafts.size()) {
            return Optional.empty();
        }
        List<Draft> sorted = new ArrayList<>(drafts);
        sorted.sort(Comparator.comparing(scores::get));
        List<CpuKind> kinds = new ArrayList<>();
        for (Draft draft : sorted) {
            kinds.add(new CpuKind(kinds.size(), draft.cpus, draft.infos));
        }
        return Optional.of(List.copyOf(kinds));
    }

    private static Optional<Long> typeAndFrequency(Draft draft) {
        long type = "IntelCore".equals(draft.infos.get("CoreType")) ? 1L << 40 : 0;
        String frequency = draft.infos.getOrDefault("FrequencyBaseMHz", draft.infos.get("FrequencyMaxMHz"));
        if (frequency == null) {
            return draft.infos.containsKey("CoreType") ? Optional.of(type) : Optional.empty();
        }
        try {
            return Optional.of(type + Integer.parseInt(frequency));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }
}
