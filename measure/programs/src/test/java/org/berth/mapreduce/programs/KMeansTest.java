package org.berth.mapreduce.programs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** K-Means against scikit-learn from the same start, and the same bytes from each engine. */
@Tag("one-jdk")
@Tag("long")
class KMeansTest {
    private static final int CLUSTERS = 4;
    private static final int COLUMNS = 3;

    @TempDir
    static Path folder;

    private static Path rows;

    @BeforeAll
    static void makeRows() throws IOException {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        rows = Files.createDirectory(folder.resolve("rows"));
        List<String> lines = new ArrayList<>(List.of("# x y z"));
        for (int i = 0; i < 600; i++) {
            String separator = List.of(",", " ", ";", "\t", " , ").get(random.nextInt(5));
            List<String> numbers = new ArrayList<>();
            for (int column = 0; column < COLUMNS; column++) {
                double number = 50 + 10 * (i % CLUSTERS) * (column - 1) + 7 * random.nextGaussian();
                numbers.add(
                        random.nextBoolean() ? Double.toString(number) : String.format(Locale.ROOT, "%.3f", number));
            }
            lines.add(String.join(separator, numbers));
        }
        for (int file = 0; file < 3; file++) {
            Files.write(
                    rows.resolve("rows" + file),
                    lines.subList(file * 200, file == 2 ? lines.size() : file * 200 + 200));
        }
    }

    private static Path run(Engine engine, String name, String... options) throws Exception {
        Path out = folder.resolve(name + engine);
        List<String> words = new ArrayList<>(List.of("kmeans"));
        // Another number of maps for each engine.
        words.addAll(List.of(
                "-D",
                "mapreduce.input.fileinputformat.split.maxsize="
                        + (500 << engine.name().length())));
        words.addAll(List.of(options));
        words.addAll(List.of(rows.toString(), out.toString()));
        engine.run(folder, words.toArray(String[]::new));
        assertThat(folder.resolve(name + engine + ".work")).doesNotExist();
        return out;
    }

    private static double[] numbers(String line) {
        return List.of(line.split(",", -1)).stream()
                .mapToDouble(Double::parseDouble)
                .toArray();
    }

    @Test
    void centroidsAndClustersAreThoseOfScikitLearn() throws Exception {
        String program = """
                import sys, re, numpy as np
                from sklearn.cluster import KMeans
                rows = [[float(x) for x in re.split('[,; \\t]+', line.strip())]
                        for name in sys.argv[1:] for line in open(name) if not line.startswith('#')]
                table = np.array(rows)
                found = KMeans(4, init=table[:4], n_init=1, max_iter=5, tol=0, algorithm='lloyd').fit(table)
                for row in found.cluster_centers_:
                    print(','.join(repr(float(x)) for x in row))
                for label in found.labels_:
                    print(label)
                """;
        List<String> expected = Python.lines(
                "sklearn.cluster, numpy", program, rows.resolve("rows0"), rows.resolve("rows1"), rows.resolve("rows2"));
        Path out = run(Engine.EMBEDDED, "truth", "--clusters", "4", "--assign");
        List<String> centroids = Files.readAllLines(out.resolve("part-r-00000"));
        assertThat(centroids).hasSize(CLUSTERS);
        for (int cluster = 0; cluster < CLUSTERS; cluster++) {
            double[] numbers = numbers(centroids.get(cluster));
            double[] theirs = numbers(expected.get(cluster));
            assertThat(numbers).hasSize(COLUMNS);
            for (int column = 0; column < COLUMNS; column++) {
                assertThat(numbers[column]).isCloseTo(theirs[column], withinPercentage(1e-7));
            }
        }
        // Parts are numbered by size, so the clusters are compared by how often each occurs.
        List<String> clusters = new ArrayList<>();
        for (Map.Entry<String, String> part :
                Engine.output(out.resolve("assignment")).entrySet()) {
            part.getValue().lines().forEach(clusters::add);
        }
        assertThat(clusters).containsExactlyInAnyOrderElementsOf(expected.subList(CLUSTERS, expected.size()));
    }

    @Test
    void centroidsAreEqualOnEachEngine() throws Exception {
        Map<String, String> expected = Map.of();
        for (Engine engine : Engine.values()) {
            Map<String, String> output = Engine.output(
                    run(engine, "equal", "-D", "mapreduce.job.reduces=2", "--clusters", "9", "--seed", "5"));
            assertThat(output).containsOnlyKeys("part-r-00000");
            expected = expected.isEmpty() ? output : expected;
            assertThat(output).as(engine.name()).isEqualTo(expected);
        }
    }

    @Test
    void aClusterWithoutRowsKeepsItsCentroidAndTheEndIsFoundEarly() throws Exception {
        Path start = Files.writeString(folder.resolve("start"), "50,50,50\n1e9,-1e9,0.1\n");
        Path once = run(Engine.EMBEDDED, "once", "--centroids", start.toString(), "--iterations", "1");
        // The mean of all rows is found by the first iteration, so the others do not change it.
        Path often = run(Engine.EMBEDDED, "often", "--centroids", start.toString(), "--iterations", "1000000");
        assertThat(often.resolve("part-r-00000")).hasSameTextualContentAs(once.resolve("part-r-00000"));
        assertThat(numbers(Files.readAllLines(once.resolve("part-r-00000")).get(1)))
                .containsExactly(1e9, -1e9, 0.1);
    }
}
