package org.berth.topology.synthetic;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.berth.topology.TopologyObject;

/**
 * The kernel's numbers of a level: as loops ("2*16:1*2" for the second PUs of 16 cores after the first ones) when they
 * are interleaved, else one by one. Finds the loops that hwloc finds.
 */
final class SyntheticIndexes {
    private record Loop(int step, int count) {}

    private SyntheticIndexes() {}

    static String of(List<TopologyObject> level) {
        List<Loop> loops = loops(level);
        if (loops.isEmpty() || !describes(loops, level)) {
            return level.stream().map(object -> "" + object.osIndex()).collect(Collectors.joining(","));
        }
        return loops.stream().map(loop -> loop.step + "*" + loop.count).collect(Collectors.joining(":"));
    }

    /** Is empty when there is no regular step. */
    private static List<Loop> loops(List<TopologyObject> level) {
        List<Loop> loops = new ArrayList<>();
        int total = level.size();
        int found = 1;
        while (found != total) {
            int step = positionOf(found, level);
            if (level.get(0).osIndex() != 0 || step < 0 || total % found != 0) {
                return List.of();
            }
            int count = 2;
            while (count < total / step && level.get(step * count).osIndex() == found * count) {
                count++;
            }
            loops.add(new Loop(step, count));
            found *= count;
            if (found > total) {
                return List.of();
            }
        }
        return loops;
    }

    private static int positionOf(int osIndex, List<TopologyObject> level) {
        for (int i = 1; i < level.size(); i++) {
            if (level.get(i).osIndex() == osIndex) {
                return i;
            }
        }
        return -1;
    }

    private static boolean describes(List<Loop> loops, List<TopologyObject> level) {
        for (int i = 0; i < level.size(); i++) {
            int index = 0;
            int factor = 1;
            for (Loop loop : loops) {
                index += i / loop.step % loop.count * factor;
                factor *= loop.count;
            }
            if (level.get(i).osIndex() != index) {
                return false;
            }
        }
        return true;
    }
}
