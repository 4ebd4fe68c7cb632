package org.berth.topology;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the kinds of CPUs and ranks them by efficiency, which the file does not say, as hwloc does. */
final class CpuKindReader {
    private static final class Draft {
        final CpuSet cpus;
        final @Nullable Long forcedEfficiency;
        final Map<String, String> infos = new LinkedHashMap<>();
        long score;

        Draft(CpuSet cpus, @Nullable Long forcedEfficiency) {
            this.cpus = cpus;
            this.forcedEfficiency = forcedEfficiency;
        }
    }

    private final List<Draft> drafts = new ArrayList<>();

    /** Reads the present element and leaves it. */
    void read(XmlElements xml) {
        CpuSet cpus = xml.parse("cpuset", xml.required("cpuset"), CpuSet::parseMask);
        long forced = xml.number("forced_efficiency", -1);
        Draft draft = new Draft(cpus, forced < 0 ? null : forced);
        while (xml.nextChild()) {
            if (xml.name().equals("info")) {
                ObjectReader.readInfo(xml, draft.infos);
            }
            xml.skip();
        }
        drafts.add(draft);
    }

    /** Those of least efficiency rank first when a ranking is known; else in the order of the file. */
    List<CpuKind> ranked() {
        boolean known = drafts.size() == 1 || scoredByForce() || scoredByTypeAndFrequency();
        if (known) {
            drafts.sort(Comparator.comparingLong((Draft draft) -> draft.score));
        }
        List<CpuKind> kinds = new ArrayList<>();
        for (Draft draft : drafts) {
            kinds.add(new CpuKind(known ? kinds.size() : -1, draft.cpus, draft.infos));
        }
        return List.copyOf(kinds);
    }

    private boolean scoredByForce() {
        for (Draft draft : drafts) {
            if (draft.forcedEfficiency == null) {
                return false;
            }
            draft.score = draft.forcedEfficiency;
        }
        return scoresDiffer();
    }

    private boolean scoredByTypeAndFrequency() {
        for (Draft draft : drafts) {
            String type = draft.infos.get("CoreType");
            String frequency = draft.infos.getOrDefault("FrequencyBaseMHz", draft.infos.get("FrequencyMaxMHz"));
            if (type == null && frequency == null) {
                return false;
            }
            draft.score = ("IntelCore".equals(type) ? 1L << 40 : 0) + (frequency == null ? 0 : digits(frequency));
        }
        return scoresDiffer();
    }

    private boolean scoresDiffer() {
        for (Draft draft : drafts) {
            for (Draft other : drafts) {
                if (draft != other && draft.score == other.score) {
                    return false;
                }
            }
        }
        return true;
    }

    private static long digits(String text) {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException e) {
            return 0;
        }
    }
}
