package org.berth.topology.internal.xml;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.berth.topology.CpuKind;
import org.berth.topology.CpuSet;
import org.berth.topology.type.Info;

/** Kinds of CPUs: reads them, adds to them, and ranks them by efficiency as hwloc does, since no file says the rank. */
public final class CpuKinds {
    private CpuKinds() {}

    /** Reads the present element and leaves it. */
    static CpuKind read(XmlElements xml) {
        CpuSet cpus = xml.parse("cpuset", xml.required("cpuset"), CpuSet::parseMask);
        int forced = Math.max(-1, xml.smallNumber("forced_efficiency", -1));
        Map<String, String> infos = new LinkedHashMap<>();
        while (xml.nextChild()) {
            if (xml.name().equals("info")) {
                Info info = ObjectReader.readInfo(xml);
                infos.putIfAbsent(info.name(), info.value());
            }
            xml.skip();
        }
        return new CpuKind(-1, cpus, forced, infos);
    }

    /** The kinds with one more, which splits those that it cuts; what it says wins over what was said before. */
    public static List<CpuKind> with(List<CpuKind> kinds, CpuKind added) {
        List<CpuKind> result = new ArrayList<>();
        List<CpuKind> cut = new ArrayList<>();
        CpuSet left = added.cpus();
        for (CpuKind kind : kinds) {
            CpuSet common = kind.cpus().intersection(added.cpus());
            CpuSet rest = kind.cpus().minus(common);
            left = left.minus(common);
            if (common.isEmpty()) {
                result.add(kind);
            } else if (rest.isEmpty()) {
                result.add(merged(kind, common, added));
            } else {
                result.add(new CpuKind(-1, rest, kind.forcedEfficiency(), kind.infos()));
                cut.add(merged(kind, common, added));
            }
        }
        result.addAll(cut);
        if (!left.isEmpty()) {
            result.add(new CpuKind(-1, left, added.forcedEfficiency(), added.infos()));
        }
        return result;
    }

    private static CpuKind merged(CpuKind old, CpuSet cpus, CpuKind added) {
        Map<String, String> infos = new LinkedHashMap<>(old.infos());
        infos.putAll(added.infos());
        int forced = added.forcedEfficiency() >= 0 ? added.forcedEfficiency() : old.forcedEfficiency();
        return new CpuKind(-1, cpus, forced, infos);
    }

    /** Those of least efficiency rank first when a ranking is known; else in the given order. */
    public static List<CpuKind> ranked(List<CpuKind> kinds) {
        if (kinds.isEmpty()) {
            return List.of();
        }
        List<Long> scores = scores(kinds);
        boolean known = !scores.isEmpty();
        List<Integer> order = new ArrayList<>();
        for (int i = 0; i < kinds.size(); i++) {
            order.add(i);
        }
        if (known) {
            order.sort(Comparator.comparing(scores::get));
        }
        List<CpuKind> ranked = new ArrayList<>();
        for (int i : order) {
            CpuKind kind = kinds.get(i);
            ranked.add(new CpuKind(known ? ranked.size() : -1, kind.cpus(), kind.forcedEfficiency(), kind.infos()));
        }
        return List.copyOf(ranked);
    }

    /** Is empty when the kinds cannot be told apart. */
    private static List<Long> scores(List<CpuKind> kinds) {
        if (kinds.size() == 1) {
            return List.of(0L);
        }
        List<Long> forced =
                kinds.stream().map(kind -> (long) kind.forcedEfficiency()).toList();
        if (!forced.contains(-1L) && differ(forced)) {
            return forced;
        }
        List<Long> scores = new ArrayList<>();
        for (CpuKind kind : kinds) {
            String type = kind.infos().get("CoreType");
            String frequency =
                    kind.infos().getOrDefault("FrequencyBaseMHz", kind.infos().get("FrequencyMaxMHz"));
            if (type == null && frequency == null) {
                return List.of();
            }
            scores.add(("IntelCore".equals(type) ? 1L << 40 : 0) + (frequency == null ? 0 : digits(frequency)));
        }
        return differ(scores) ? scores : List.of();
    }

    private static boolean differ(List<Long> scores) {
        return scores.stream().distinct().count() == scores.size();
    }

    private static long digits(String text) {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException e) {
            return 0;
        }
    }
}
