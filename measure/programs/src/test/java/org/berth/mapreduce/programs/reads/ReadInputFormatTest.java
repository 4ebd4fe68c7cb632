package org.berth.mapreduce.programs.reads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.task.TaskAttemptContextImpl;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each record once, whatever the splits, also where qualities look like names. */
class ReadInputFormatTest {
    /** Letters that begin other lines, too. */
    private static final String QUALITIES = "@+>!I~";

    @TempDir
    Path folder;

    private final Random random = new Random();

    ReadInputFormatTest() {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        random.setSeed(seed);
    }

    private String letters(String alphabet, int length) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < length; i++) {
            text.append(alphabet.charAt(random.nextInt(alphabet.length())));
        }
        return text.toString();
    }

    /** Records of FASTQ; reads of random lengths, also without bases. */
    private List<String> fastq(int count, String mate) {
        List<String> records = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int length = random.nextInt(30);
            records.add(
                    String.join("\n", "@name" + i + mate, letters("ACGTN", length), "+", letters(QUALITIES, length)));
        }
        return records;
    }

    private Path write(String name, List<String> records, String lineEnd) throws IOException {
        StringBuilder text = new StringBuilder();
        records.forEach(record -> text.append(record).append('\n'));
        return Files.writeString(folder.resolve(name), text.toString().replace("\n", lineEnd));
    }

    private static List<String> read(Path file, Path mates, int split) throws Exception {
        Job job = Job.getInstance(new Configuration(false));
        job.getConfiguration().setInt("mapreduce.input.fileinputformat.split.maxsize", split);
        if (mates.equals(file)) {
            ReadInputFormat.input(job, path(file));
        } else {
            ReadInputFormat.input(job, path(file), path(mates));
        }
        ReadInputFormat format = new ReadInputFormat();
        var context = new TaskAttemptContextImpl(job.getConfiguration(), new TaskAttemptID());
        List<String> found = new ArrayList<>();
        Text record = new Text();
        long last = -1;
        for (InputSplit part : format.getSplits(job)) {
            try (RecordReader<LongWritable, Fragment> reader = format.createRecordReader(part, context)) {
                reader.initialize(part, context);
                while (reader.nextKeyValue()) {
                    assertThat(reader.getCurrentKey().get()).isGreaterThan(last);
                    last = reader.getCurrentKey().get();
                    reader.getCurrentValue().first().format(record);
                    found.add(record.toString());
                    if (reader.getCurrentValue().paired()) {
                        reader.getCurrentValue().second().format(record);
                        found.add(record.toString());
                    }
                }
            }
        }
        return found;
    }

    private static org.apache.hadoop.fs.Path path(Path file) {
        return new org.apache.hadoop.fs.Path(file.toString());
    }

    @Test
    void fastqOfAnySplits() throws Exception {
        List<String> records = fastq(30, "");
        Path unix = write("unix.fastq", records, "\n");
        Path dos = write("dos.fastq", records, "\r\n");
        for (int split : new int[] {1, 7, 19, 50, 101, 1000, 1 << 20}) {
            assertThat(read(unix, unix, split)).as("split " + split).isEqualTo(records);
            assertThat(read(dos, dos, split)).as("split " + split).isEqualTo(records);
        }
    }

    @Test
    void fastaOfAnySplits() throws Exception {
        List<String> records = new ArrayList<>();
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            String first = letters("ACGT", 1 + random.nextInt(20));
            String second = letters("ACGT", random.nextInt(20));
            records.add(">name" + i + " of a sequence\n" + first + second);
            lines.add(">name" + i + " of a sequence\n" + first + "\n" + second);
        }
        Path file = write("any.fasta", lines, "\n");
        for (int split : new int[] {1, 33, 400, 1 << 20}) {
            assertThat(read(file, file, split)).as("split " + split).isEqualTo(records);
        }
    }

    /** Mates have other lengths, so that they are at other offsets. */
    @Test
    void pairsOfAnySplits() throws Exception {
        List<String> firsts = fastq(3000, "/1");
        List<String> seconds = fastq(3000, "/2");
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < firsts.size(); i++) {
            expected.add(firsts.get(i));
            expected.add(seconds.get(i));
        }
        Path first = write("1.fastq", firsts, "\n");
        Path second = write("2.fastq", seconds, "\n");
        for (int split : new int[] {5000, 30_000, 1 << 20}) {
            assertThat(read(first, second, split)).as("split " + split).isEqualTo(expected);
        }
        seconds.remove(1500);
        Path incomplete = write("3.fastq", seconds, "\n");
        for (int split : new int[] {30_000, 1 << 20}) {
            assertThatThrownBy(() -> read(first, incomplete, split))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("mate");
        }
    }

    @Test
    void compressed() throws Exception {
        List<String> records = fastq(100, "");
        Path file = folder.resolve("reads.fastq.gz");
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
            out.write((String.join("\n", records) + "\n").getBytes(StandardCharsets.US_ASCII));
        }
        assertThat(read(file, file, 100)).isEqualTo(records);
    }

    @Test
    void wrongRecords() throws Exception {
        for (String wrong : new String[] {"@a\nAC\n+\nI", "@a\nAC\nII\n@b", "@a\nAC\n", "ACGT\n"}) {
            Path file = write("wrong.fastq", List.of("@good\nA\n+\nI\n" + wrong), "\n");
            assertThatThrownBy(() -> read(file, file, 1 << 20))
                    .as(wrong)
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("wrong.fastq, record at byte 12");
        }
    }
}
