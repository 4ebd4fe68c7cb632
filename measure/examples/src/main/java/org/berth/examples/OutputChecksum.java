package org.berth.examples;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.SequenceFile;

/**
 * What a job wrote, equal for equal output.
 *
 * @param files number of files
 * @param records records that the job's maps wrote, which the output tells
 * @param checksum of all files in the order of their names
 */
record OutputChecksum(int files, long records, long checksum) {
    /** A job without output. */
    static OutputChecksum none() {
        return new OutputChecksum(0, 0, 0);
    }

    static OutputChecksum of(ExampleKind example, Path output) throws IOException {
        List<Path> parts;
        try (Stream<Path> files = Files.list(output)) {
            parts = files.filter(file -> file.getFileName().toString().startsWith("part-"))
                    .sorted()
                    .toList();
        }
        CRC32C sum = new CRC32C();
        long records = 0;
        for (Path part : parts) {
            long lines = example == ExampleKind.RECORDS ? 0 : bytes(part, sum);
            if (example == ExampleKind.RECORDS) {
                records += sequence(part, sum);
            } else if (example == ExampleKind.WORDCOUNT) {
                records += words(part);
            } else if (example.readsInput()) {
                records += lines;
            } else if (example == ExampleKind.TERASORT) {
                records += Files.size(part) / ExampleInput.ROW_BYTES;
            }
        }
        return new OutputChecksum(parts.size(), records, sum.getValue());
    }

    /** The checksum of one file. */
    static String hex(Path file) throws IOException {
        CRC32C sum = new CRC32C();
        bytes(file, sum);
        return String.format(Locale.ROOT, "%08x", sum.getValue());
    }

    /** Returns how many lines end in it. */
    private static long bytes(Path part, CRC32C sum) throws IOException {
        byte[] buffer = new byte[1 << 16];
        long lines = 0;
        try (InputStream in = Files.newInputStream(part)) {
            for (int count = in.read(buffer); count > 0; count = in.read(buffer)) {
                sum.update(buffer, 0, count);
                for (int i = 0; i < count; i++) {
                    lines += buffer[i] == '\n' ? 1 : 0;
                }
            }
        }
        return lines;
    }

    /** Each line has a word and how often it was found. */
    private static long words(Path part) throws IOException {
        long words = 0;
        try (BufferedReader in = Files.newBufferedReader(part)) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                words += Long.parseLong(line.substring(line.lastIndexOf('\t') + 1));
            }
        }
        return words;
    }

    /** Sequence files of equal records differ in their marks, which are random. */
    private static long sequence(Path part, CRC32C sum) throws IOException {
        long records = 0;
        try (SequenceFile.Reader reader = new SequenceFile.Reader(
                new Configuration(), SequenceFile.Reader.file(new org.apache.hadoop.fs.Path(part.toUri())))) {
            BytesWritable key = new BytesWritable();
            BytesWritable value = new BytesWritable();
            while (reader.next(key, value)) {
                sum.update(key.getBytes(), 0, key.getLength());
                sum.update(value.getBytes(), 0, value.getLength());
                records++;
            }
        }
        return records;
    }

    @Override
    public String toString() {
        return String.format(Locale.ROOT, "%d files, %d records, %08x", files, records, checksum);
    }
}
