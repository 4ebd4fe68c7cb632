package org.berth.mapreduce.programs;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.util.ToolRunner;
import org.berth.mapreduce.programs.components.ConnectedComponents;
import org.berth.mapreduce.programs.correction.CorrectReads;
import org.berth.mapreduce.programs.duplicates.RemoveDuplicates;
import org.berth.mapreduce.programs.graph.CopyGraph;
import org.berth.mapreduce.programs.kmeans.CopyRows;
import org.berth.mapreduce.programs.kmeans.KMeans;
import org.berth.mapreduce.programs.pagerank.PageRank;
import org.berth.mapreduce.programs.reads.SimulateReads;
import org.berth.mapreduce.programs.shared.Program;
import org.berth.mapreduce.programs.text.CopyLines;

/** The main class of the jar: {@code hadoop jar berth-mapreduce-programs.jar NAME [generic options] [options] IN OUT}. */
public final class Programs {
    /** Each program is made anew, since it runs once. */
    private static final List<Supplier<Program>> ALL = List.of(
            KMeans::new,
            PageRank::new,
            ConnectedComponents::new,
            RemoveDuplicates::new,
            CorrectReads::new,
            CopyRows::new,
            CopyGraph::new,
            CopyLines::new,
            SimulateReads::new);

    private Programs() {}

    /** Exit code 0; with one line on standard error, 2 for a wrong command line and 1 for any other failure. */
    public static void main(String[] words) throws Exception {
        System.exit(run(new Configuration(), words));
    }

    /** The same in the JVM of the caller, with that configuration; returns the exit code. */
    public static int run(Configuration conf, String... words) throws Exception {
        String name = words.length == 0 ? "" : words[0];
        if (name.equals("--help")) {
            System.out.println(
                    "Usage: hadoop jar berth-mapreduce-programs.jar NAME [generic options] [options] IN OUT");
            ALL.stream()
                    .map(Supplier::get)
                    .forEach(
                            program -> System.out.printf(Locale.ROOT, "  %-15s %s%n", program.name(), program.about()));
            System.out.println("NAME --help lists the options of a program.");
            return 0;
        }
        Optional<Program> program = ALL.stream()
                .map(Supplier::get)
                .filter(candidate -> candidate.name().equals(name))
                .findFirst();
        if (program.isEmpty()) {
            List<String> names = ALL.stream().map(each -> each.get().name()).toList();
            System.err.println((name.isEmpty() ? "no program is named" : "unknown program '" + name + "'")
                    + ": choose from " + String.join(", ", names));
            return Program.USAGE;
        }
        return ToolRunner.run(
                conf, program.get(), List.of(words).subList(1, words.length).toArray(String[]::new));
    }
}
