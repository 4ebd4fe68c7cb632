package org.berth.cli.shared.arguments;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.ServiceLoader;
import java.util.SortedMap;
import java.util.TreeMap;
import org.berth.cli.shared.CommandException;
import org.berth.cli.shared.IoErrors;
import org.berth.topology.NodeSet;

/** Weights of memory nodes by what {@code berth bench bandwidth} measured. */
final class MeasuredWeights {
    /** In front of the folder. */
    static final String MEASURED = "weighted:measured=";

    /** The weight of the fastest node: a percent is finer than what is measured. */
    private static final double LARGEST = 100;

    private static final String OPTION = "--heap-memory " + MEASURED + "DIR: ";

    private static final String HOW =
            "give each node an arm: berth bench bandwidth --arm \"node0=--memory bind:0\" --arm"
                    + " \"node1=--memory bind:1\" --results DIR";

    private MeasuredWeights() {}

    /**
     * Reads them.
     *
     * @param nodes that must all have been measured
     * @throws CommandException a usage error, when the folder has no such numbers, or not for each node
     */
    static SortedMap<Integer, Integer> read(Path folder, NodeSet nodes) {
        SortedMap<Integer, Double> measured = measured(folder);
        if (measured.isEmpty()) {
            throw CommandException.usage(OPTION + "the results in " + folder
                    + " have no bandwidth of a memory node (on a machine of one node there is none); " + HOW);
        }
        double largest = Collections.max(measured.values());
        SortedMap<Integer, Integer> weights = new TreeMap<>();
        nodes.forEachIndex(node -> {
            if (!measured.containsKey(node)) {
                throw CommandException.usage(OPTION + "the results in " + folder + " have the bandwidth of nodes "
                        + measured.keySet() + " and not of node " + node + "; " + HOW);
            }
            double rate = measured.getOrDefault(node, 0.0);
            weights.put(node, (int) Math.max(1, Math.round(LARGEST * rate / largest)));
        });
        return weights;
    }

    private static SortedMap<Integer, Double> measured(Path folder) {
        if (!Files.isRegularFile(folder.resolve("trials.jsonl"))) {
            throw CommandException.usage(OPTION + "there is no trials.jsonl in '" + folder
                    + "': it is not a folder of results of 'berth bench'");
        }
        BandwidthResults results = ServiceLoader.load(BandwidthResults.class)
                .findFirst()
                .orElseThrow(() -> CommandException.failure(
                        OPTION + "this installation has no commands that measure (berth-measure-commands is missing)"));
        try {
            return results.byNode(folder);
        } catch (IOException e) {
            throw CommandException.usage(
                    OPTION + "the results in " + folder + " cannot be read: " + IoErrors.reason(e));
        }
    }
}
