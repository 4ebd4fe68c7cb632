package org.berth.mapreduce.programs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.examples.Sort;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.lib.output.TextOutputFormat;
import org.apache.hadoop.mapreduce.lib.partition.TotalOrderPartitioner;
import org.apache.hadoop.util.ToolRunner;
import org.berth.oracle.Child;
import org.berth.oracle.Tool;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Hadoop's own sort of a text, on each engine: the bytes that sort of the coreutils writes. */
@Tag("one-jdk")
@Tag("long")
class SortTest {
    private static final int TEXT_BYTES = 1 << 20;
    private static final List<String> WORDS =
            List.of("a", "ab", "A", "é", "€", "𝄞", "~", "\t", "  ", "::", "zz", "0", "-1");

    @TempDir
    static Path folder;

    private static Path text;
    private static Path input;

    /** Blank lines, equal ones, ones that begin another one, and letters of one to four bytes: as many bytes as the input takes. */
    @BeforeAll
    static void makeInput() throws Exception {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(TEXT_BYTES);
        while (bytes.size() < TEXT_BYTES - 200) {
            StringBuilder line = new StringBuilder();
            for (int words = random.nextInt(12); words > 0; words--) {
                line.append(WORDS.get(random.nextInt(WORDS.size()))).append(' ');
            }
            bytes.writeBytes((line + "\n").getBytes(StandardCharsets.UTF_8));
        }
        bytes.writeBytes("x".repeat(TEXT_BYTES - 1 - bytes.size()).getBytes(StandardCharsets.UTF_8));
        bytes.write('\n');
        text = Files.write(folder.resolve("text"), bytes.toByteArray());
        input = folder.resolve("input");
        Engine.LOCAL.run(folder, "copy-lines", "--megabytes", "1", text.toString(), input.toString());
    }

    private static Path sortedByCoreutils() {
        Path sorted = folder.resolve("coreutils");
        ProcessBuilder sort =
                new ProcessBuilder(Tool.require("sort").toString(), "-o", sorted.toString(), text.toString());
        sort.environment().put("LC_ALL", "C");
        Child.run(sort).output();
        return sorted;
    }

    /** All parts, one after the other. */
    private static Path sort(Engine engine, Path in, int reduces, String... more) throws Exception {
        Path out = folder.resolve("sorted-" + engine + "-" + reduces);
        Configuration conf = engine.conf(folder);
        conf.setInt("mapreduce.input.fileinputformat.split.maxsize", 400_000);
        // The place where Hadoop's sort announces its borders; it writes them elsewhere unless this says so.
        conf.set(TotalOrderPartitioner.PARTITIONER_PATH, in.toUri() + "/_sortPartitioning");
        List<String> words = new ArrayList<>(List.of(more));
        words.addAll(List.of("-r", Integer.toString(reduces)));
        words.addAll(List.of("-outFormat", TextOutputFormat.class.getName()));
        words.addAll(List.of("-outKey", Text.class.getName(), "-outValue", NullWritable.class.getName()));
        words.addAll(List.of(in.toString(), out.toString()));
        assertThat(ToolRunner.run(conf, new Sort<>(), words.toArray(String[]::new)))
                .isZero();
        Path all = folder.resolve("all-" + engine + "-" + reduces);
        Files.write(all, new byte[0]);
        try (Stream<Path> files = Files.list(out)) {
            List<Path> parts = files.filter(
                            file -> file.getFileName().toString().startsWith("part-"))
                    .sorted()
                    .toList();
            assertThat(parts).hasSize(reduces);
            for (Path part : parts) {
                Files.write(all, Files.readAllBytes(part), StandardOpenOption.APPEND);
            }
        }
        return all;
    }

    @Test
    void oneFileIsThatOfCoreutils() throws Exception {
        Path expected = sortedByCoreutils();
        for (Engine engine : Engine.values()) {
            assertThat(sort(engine, input, 1)).as(engine.name()).hasSameBinaryContentAs(expected);
        }
    }

    /** The option that Hadoop's sort has for a total order of all files: ranges by a sample. */
    @Test
    void severalFilesWithRangesAreThatOfCoreutils() throws Exception {
        Path expected = sortedByCoreutils();
        for (Engine engine : Engine.values()) {
            assertThat(sort(engine, input, 3, "-totalOrder", "0.1", "500", "4"))
                    .as(engine.name())
                    .hasSameBinaryContentAs(expected);
        }
    }
}
