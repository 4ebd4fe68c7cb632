package org.berth.cli.study;

import java.util.List;
import org.berth.cli.shared.arguments.WordList;
import org.berth.text.Words;

/** A collector of HotSpot. */
enum Collector {
    SERIAL("UseSerialGC", false),
    PARALLEL("UseParallelGC", true),
    G1("UseG1GC", true),
    ZGC("UseZGC", true),
    SHENANDOAH("UseShenandoahGC", false);

    /** The JVM's own choice first: the first arm is the baseline. */
    static final String DEFAULT = "g1,parallel,serial,zgc,shenandoah";

    private final String flag;
    private final boolean placesByNode;

    Collector(String flag, boolean placesByNode) {
        this.flag = flag;
        this.placesByNode = placesByNode;
    }

    String word() {
        return Words.of(this);
    }

    /** Whether UseNUMA makes it give each thread memory of its own node (docs/background/collectors.md). */
    boolean placesByNode() {
        return placesByNode;
    }

    /** The options of {@code java}; UseNUMA is always said, since ZGC's default differs. */
    List<String> options(boolean numa) {
        return List.of("-XX:+" + flag, numa ? "-XX:+UseNUMA" : "-XX:-UseNUMA");
    }

    /** Whether an option of {@code java} chooses a collector or UseNUMA. */
    static boolean isChosenBy(String option) {
        return option.matches("-XX:[+-](UseNUMA|Use[A-Za-z0-9]+GC)");
    }

    static List<Collector> parse(String list) {
        return WordList.parse("--gc", list, List.of(values()), Collector::word);
    }
}
