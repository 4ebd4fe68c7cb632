package org.berth.examples;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.SequenceFile;

/** Input of the examples, the same for the same scale. */
final class ExampleInput {
    private static final int WORDS = 50_000;
    private static final int WORDS_IN_A_LINE = 11;
    /** Size of a row of TeraSort. */
    static final int ROW_BYTES = 100;

    private static final int ROW_KEY_BYTES = 10;

    private ExampleInput() {}

    /** Words of 2 to 10 letters; the n-th most frequent one has the n-th part of the first one's frequency, as in languages. */
    static void text(Path folder, int megabytes) throws IOException {
        Random random = new Random(7);
        byte[][] words = new byte[WORDS][];
        double[] sums = new double[WORDS];
        double sum = 0;
        for (int i = 0; i < WORDS; i++) {
            words[i] = new byte[2 + random.nextInt(9)];
            for (int j = 0; j < words[i].length; j++) {
                words[i][j] = (byte) ('a' + random.nextInt(26));
            }
            sum += 1.0 / (i + 1);
            sums[i] = sum;
        }
        long bytes = (long) megabytes << 20;
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(folder.resolve("text")), 1 << 20)) {
            int column = 0;
            for (long written = 0; written < bytes; ) {
                int found = Arrays.binarySearch(sums, random.nextDouble() * sum);
                byte[] word = words[Math.min(found < 0 ? -found - 1 : found, WORDS - 1)];
                column = (column + 1) % WORDS_IN_A_LINE;
                out.write(word);
                out.write(column == 0 ? '\n' : ' ');
                written += word.length + 1;
            }
            out.write('\n');
        }
    }

    static void records(Path folder, int megabytes) throws IOException {
        Random random = new Random(8);
        long bytes = (long) megabytes << 20;
        try (SequenceFile.Writer writer = SequenceFile.createWriter(
                new Configuration(),
                SequenceFile.Writer.file(
                        new org.apache.hadoop.fs.Path(folder.resolve("records").toUri())),
                SequenceFile.Writer.keyClass(BytesWritable.class),
                SequenceFile.Writer.valueClass(BytesWritable.class),
                SequenceFile.Writer.compression(SequenceFile.CompressionType.NONE))) {
            for (long written = 0; written < bytes; ) {
                byte[] key = new byte[10 + random.nextInt(991)];
                byte[] value = new byte[random.nextInt(20_001)];
                random.nextBytes(key);
                random.nextBytes(value);
                writer.append(new BytesWritable(key), new BytesWritable(value));
                written += key.length + value.length;
            }
        }
    }

    /** Rows as TeraSort reads them: ten bytes of key, ninety of value. */
    static void rows(Path folder, int megabytes) throws IOException {
        Random random = new Random(9);
        long rows = ((long) megabytes << 20) / ROW_BYTES;
        byte[] row = new byte[ROW_BYTES];
        byte[] key = new byte[ROW_KEY_BYTES];
        Arrays.fill(row, (byte) 'v');
        try (OutputStream out =
                new BufferedOutputStream(Files.newOutputStream(folder.resolve("part-m-00000")), 1 << 20)) {
            for (long i = 0; i < rows; i++) {
                random.nextBytes(key);
                System.arraycopy(key, 0, row, 0, ROW_KEY_BYTES);
                for (int j = 0; j < 8; j++) {
                    row[ROW_KEY_BYTES + j] = (byte) (i >>> (8 * j));
                }
                out.write(row);
            }
        }
    }
}
