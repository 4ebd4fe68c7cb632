package org.berth.mapreduce.programs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** PageRank and connected components against networkx, and the same bytes from each engine. */
@Tag("one-jdk")
@Tag("long")
@Tag("release")
class GraphProgramsTest {
    private static final String READ = """
            import sys, networkx as nx
            g = nx.DiGraph()
            for line in open(sys.argv[1]):
                if not line.startswith('#'):
                    names = line.replace(',', ' ').split()
                    g.add_nodes_from(names)
                    g.add_edges_from((names[0], name) for name in names[1:])
            """;

    @TempDir
    static Path folder;

    private static Path graph;

    /** Links to few nodes mostly, sinks, loops, repeated edges, comments, chains, nodes alone; edges alone and adjacency lists. */
    @BeforeAll
    static void makeGraph() throws IOException {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        List<String> lines = new ArrayList<>(List.of("# comment", "", "alone", "loop\tloop", "loop loop", "é,ü ö"));
        for (int i = 0; i < 400; i++) {
            StringBuilder line = new StringBuilder("n" + random.nextInt(300));
            for (int links = random.nextInt(4); links >= 0; links--) {
                double at = random.nextDouble();
                line.append(random.nextBoolean() ? ' ' : '\t').append('n').append((int) (at * at * 500));
            }
            lines.add(line.toString());
        }
        for (int i = 0; i < 6; i++) {
            lines.add("chain" + (i + 1) + " chain" + i);
        }
        graph = Files.write(folder.resolve("graph.txt"), lines);
    }

    /** The lines of all parts; each engine has the same files. */
    private static Map<String, String> result(String... words) throws Exception {
        Map<String, String> expected = Map.of();
        for (Engine engine : Engine.values()) {
            Path out = folder.resolve(words[0] + "-" + engine);
            List<String> all = new ArrayList<>(List.of(words[0], "-D", "mapreduce.job.reduces=3"));
            // Another number of maps for each engine.
            all.addAll(List.of(
                    "-D",
                    "mapreduce.input.fileinputformat.split.maxsize="
                            + (900 << engine.name().length())));
            all.addAll(List.of(words).subList(1, words.length));
            all.addAll(List.of(graph.toString(), out.toString()));
            engine.run(folder, all.toArray(String[]::new));
            Map<String, String> output = Engine.output(out);
            assertThat(output).hasSize(4).containsKey("part-r-00002");
            assertThat(out.resolveSibling(out.getFileName() + ".work")).doesNotExist();
            expected = expected.isEmpty() ? output : expected;
            assertThat(output).as(engine.name()).isEqualTo(expected);
        }
        Map<String, String> values = new TreeMap<>();
        for (String part : expected.keySet()) {
            if (part.startsWith("part-")) {
                read(folder.resolve(words[0] + "-" + Engine.LOCAL).resolve(part), values);
            }
        }
        return values;
    }

    private static void read(Path file, Map<String, String> values) throws IOException {
        for (String line : Files.readAllLines(file)) {
            String[] columns = line.split("\t", -1);
            assertThat(values.put(columns[0], columns[1]))
                    .as("two lines of " + columns[0])
                    .isNull();
        }
    }

    private static void isNear(Map<String, String> ranks, List<String> expected) {
        assertThat(ranks).hasSameSizeAs(expected);
        for (String line : expected) {
            String[] columns = line.split(" ", -1);
            assertThat(Double.parseDouble(ranks.get(columns[0])))
                    .as(columns[0])
                    .isCloseTo(Double.parseDouble(columns[1]), within(1e-9));
        }
    }

    @Test
    void ranksAreThoseOfNetworkx() throws Exception {
        String program = READ + """
                  for node, rank in nx.pagerank(g, alpha=0.5, tol=1e-15, max_iter=1000).items():
                      print(node, repr(float(rank)))
                  """;
        List<String> expected = Python.lines("networkx, numpy, scipy", program, graph);
        Path out = folder.resolve("converged");
        Engine.EMBEDDED.run(
                folder,
                "pagerank",
                "--damping",
                "0.5",
                "--iterations",
                "1000",
                "--bound",
                "1e-10",
                graph.toString(),
                out.toString());
        Map<String, String> ranks = new TreeMap<>();
        read(out.resolve("part-r-00000"), ranks);
        isNear(ranks, expected);
    }

    @Test
    void ranksAfterFiveIterationsAreThoseOfTheMatrix() throws Exception {
        String program = READ + """
                  import numpy as np
                  matrix = np.asarray(nx.google_matrix(g, alpha=0.85))
                  ranks = np.full(len(g), 1 / len(g))
                  for i in range(5):
                      ranks = ranks @ matrix
                  for node, rank in zip(g, ranks):
                      print(node, repr(float(rank)))
                  """;
        List<String> expected = Python.lines("networkx, numpy, scipy", program, graph);
        isNear(result("pagerank"), expected);
    }

    @Test
    void componentsAreThoseOfNetworkx() throws Exception {
        String program = READ + """
                  for nodes in nx.weakly_connected_components(g):
                      label = min(nodes, key=lambda name: name.encode())
                      for node in nodes:
                          print(node, label)
                  """;
        Map<String, String> expected = new TreeMap<>();
        for (String line : Python.lines("networkx, numpy, scipy", program, graph)) {
            String[] columns = line.split(" ", -1);
            expected.put(columns[0], columns[1]);
        }
        assertThat(expected).containsEntry("chain6", "chain0").containsEntry("alone", "alone");
        assertThat(result("components")).isEqualTo(expected);
    }
}
