package org.berth.mapreduce.programs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.SequenceFile;
import org.apache.hadoop.io.Text;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Larger inputs of real ones: every line of every copy, and the same bytes for the same seed. */
class CopyTest {
    private static final Pattern COPY = Pattern.compile("~([0-9]+)");

    @TempDir
    Path folder;

    private List<String> lines(String out, String... words) throws Exception {
        Path target = folder.resolve(out);
        String[] all =
                Stream.concat(Stream.of(words), Stream.of(target.toString())).toArray(String[]::new);
        assertThat(Programs.run(new Configuration(), all)).isZero();
        List<String> lines = new ArrayList<>();
        try (Stream<Path> files = Files.list(target)) {
            for (Path file : files.filter(path -> path.getFileName().toString().startsWith("part-"))
                    .sorted()
                    .toList()) {
                lines.addAll(Files.readAllLines(file));
            }
        }
        return lines;
    }

    private String file(String name, String content) throws IOException {
        return Files.writeString(folder.resolve(name), content).toString();
    }

    @Test
    void nodesOfAGraphKeepTheirEdges() throws Exception {
        String graph = file("graph", "# c\na b,c\n\nb\ta\nd\nc a b d\n");
        List<String> lines = lines("out", "copy-graph", "--copies", "40", graph);
        assertThat(lines).hasSize(160);
        assertThat(lines.stream().map(line -> COPY.matcher(line).replaceAll("")))
                .containsOnly("a b c", "b a", "d", "c a b d");
        assertThat(lines.stream().map(line -> line.split(" ", -1)[0])).doesNotHaveDuplicates();
        List<Integer> copies = lines.stream()
                .flatMap(line -> Stream.of(line.split(" ", -1)).skip(1))
                .map(name -> Integer.parseInt(name.substring(2)))
                .toList();
        assertThat(copies).allMatch(copy -> copy >= 0 && copy < 40);
        // 240 edges: each of the forty copies is the target of some.
        assertThat(copies.stream().collect(Collectors.toSet())).hasSizeGreaterThan(30);
        assertThat(lines("again", "copy-graph", "--copies", "40", graph)).isEqualTo(lines);
        assertThat(lines("other", "copy-graph", "--copies", "40", "--seed", "2", graph))
                .isNotEqualTo(lines);
    }

    private List<String> keys(String out, String... words) throws Exception {
        Path target = folder.resolve(out);
        String[] all =
                Stream.concat(Stream.of(words), Stream.of(target.toString())).toArray(String[]::new);
        assertThat(Programs.run(new Configuration(), all)).isZero();
        Configuration conf = new Configuration();
        List<String> keys = new ArrayList<>();
        try (SequenceFile.Reader reader = new SequenceFile.Reader(
                conf, SequenceFile.Reader.file(new org.apache.hadoop.fs.Path(target + "/part-00000")))) {
            Text key = new Text();
            while (reader.next(key, NullWritable.get())) {
                keys.add(key.toString());
            }
        }
        return keys;
    }

    @Test
    void aTextGrowsByLinesOfItsWords() throws Exception {
        String text = file("text", "The quick brown fox\n\njumps über the lazy dog,\n  and runs.\n");
        List<String> lines = keys("out", "copy-lines", "--megabytes", "1", text);
        assertThat(lines.subList(0, 4))
                .containsExactly("The quick brown fox", "", "jumps über the lazy dog,", "  and runs.");
        List<String> mixed = lines.subList(4, lines.size());
        assertThat(mixed)
                .allMatch(
                        line -> line.matches(
                                "(The( quick( brown( fox)?)?)?|jumps( über( the( lazy( dog,)?)?)?)?| ?|  and( runs\\.)?)"
                                        + "((((( quick)? brown)? fox)?|((( über)? the)? lazy)? dog,)?|((  and| and)? runs\\.)?)"));
        assertThat(mixed)
                .contains("The quick lazy dog,", "jumps über brown fox")
                .doesNotContain("");
        long bytes = lines.stream()
                .mapToLong(line -> line.getBytes(StandardCharsets.UTF_8).length + 1)
                .sum();
        assertThat(bytes).isBetween(1L << 20, (1L << 20) + 50);
        assertThat(keys("again", "copy-lines", "--megabytes", "1", text)).isEqualTo(lines);
        assertThat(keys("other", "copy-lines", "--megabytes", "1", "--seed", "2", text))
                .isNotEqualTo(lines);
        for (String empty : List.of("", "\n\n")) {
            assertThat(Programs.run(
                            new Configuration(), "copy-lines", file("empty", empty), folder + "/none" + empty.length()))
                    .isEqualTo(2);
        }
    }

    @Test
    void rowsAreShiftedByOneHundredthOfTheRangeAtMost() throws Exception {
        String rows = file("rows", "0;1000.5\n# c\n10 1000.5\n");
        List<String> lines = lines("out", "copy-rows", "--copies", "3", rows);
        assertThat(lines).hasSize(6).doesNotHaveDuplicates().contains("0.0,1000.5", "10.0,1000.5");
        for (String line : lines) {
            String[] numbers = line.split(",", -1);
            double first = Double.parseDouble(numbers[0]);
            assertThat(Math.min(Math.abs(first), Math.abs(first - 10))).isLessThanOrEqualTo(0.1);
            assertThat(numbers[1]).isEqualTo("1000.5");
        }
        assertThat(lines("again", "copy-rows", "--copies", "3", rows)).isEqualTo(lines);
        assertThat(lines("other", "copy-rows", "--copies", "3", "--seed", "2", rows))
                .isNotEqualTo(lines);
    }
}
