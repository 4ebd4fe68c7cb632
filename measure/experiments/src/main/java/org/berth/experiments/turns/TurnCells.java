package org.berth.experiments.turns;

import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * The sums of each stage in each turn, of all executors. Its memory is bounded: the least stage, which has ended long ago,
 * gives way, and what it told is lost. Not thread-safe.
 */
public final class TurnCells {
    private static final int MOST_CELLS = 200_000;

    private final NavigableMap<Integer, Map<Long, TaskSums>> stages = new TreeMap<>();
    private int cells;

    /** Adds tasks of a stage, to the turn in the middle of their time. */
    public void add(int stage, long turn, TaskSums sums) {
        Map<Long, TaskSums> turns = stages.computeIfAbsent(stage, none -> new TreeMap<>());
        TaskSums before = turns.get(turn);
        turns.put(turn, before == null ? sums : before.plus(sums));
        cells += before == null ? 1 : 0;
        while (cells > MOST_CELLS && stages.size() > 1) {
            cells -= stages.pollFirstEntry().getValue().size();
        }
    }

    /** The sums by stage and turn. */
    Map<Integer, Map<Long, TaskSums>> stages() {
        return stages;
    }
}
