package org.berth.jobs.kmeans;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.GZIPOutputStream;
import org.berth.jobkit.JobException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NumberTableReaderTest {
    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1,2.5\n-3,4e2\n",
                "1,2.5\n-3,4e2",
                "1,2.5\r\n-3,4e2\r\n",
                "1;2.5\n-3;4e2\n",
                "1\t2.5\n-3\t4e2\n",
                " 1 , 2.5\n -3 , 400\n",
                "\n1,2.5\n\n-3,4e2\n\n",
                "height,width\n1,2.5\n-3,4e2\n",
                "\n\"height\",\n1,2.5\n-3,4e2\n",
                "\uFEFF1,2.5\n-3,4e2\n"
            })
    void readsTheSameTableFromEverySpelling(String text) throws IOException {
        NumberTable table = NumberTableReader.read(write(text.getBytes(StandardCharsets.UTF_8)));

        assertThat(table.columns()).isEqualTo(2);
        assertThat(table.values()).containsExactly(1, 2.5f, -3, 400);
        assertThat(table.value(1, 0)).isEqualTo(-3);
    }

    @Test
    void readsAGzippedTableWhateverItsName() throws IOException {
        NumberTable table = NumberTableReader.read(write(gzip("1,2\n3,4\n5,6\n")));

        assertThat(table.rows()).isEqualTo(3);
        assertThat(table.values()).containsExactly(1, 2, 3, 4, 5, 6);
    }

    @Test
    void readsMoreThanTheFirstBuffer() throws IOException {
        NumberTable table = NumberTableReader.read(write("7,8,9\n".repeat(5000).getBytes(StandardCharsets.UTF_8)));

        assertThat(table.rows()).isEqualTo(5000);
        assertThat(table.value(4999, 2)).isEqualTo(9);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "1,2\\n3\\n                | line 2 has 1 columns, the lines before have 2",
                "a,b\\n1,2\\n\\n1,2,3\\n   | line 4 has 3 columns, the lines before have 2",
                "1,2\\n3,x\\n              | line 2, column 2: 'x' is not a finite number",
                "1,x\\n3,4\\n              | line 1, column 2: 'x' is not a finite number",
                "1,2\\n,4\\n               | line 2, column 1: '' is not a finite number",
                "a\\nb\\n                  | line 2, column 1: 'b' is not a finite number",
                "1,2\\n3,NaN\\n            | line 2, column 2: 'NaN' is not a finite number",
                "1,2\\n-Infinity,4\\n      | line 2, column 1: '-Infinity' is not a finite number",
                "1,2\\n3,1e99\\n           | line 2, column 2: '1e99' is not a finite number",
                "\\n\\n                    | it holds no row of numbers",
                "a,b\\n                    | it holds no row of numbers",
                "''                        | it holds no row of numbers"
            })
    void saysWhereATableIsWrong(String text, String reason) throws IOException {
        Path file = write(text.replace("\\n", "\n").getBytes(StandardCharsets.UTF_8));

        assertFails(file, reason);
    }

    @Test
    void saysThatAFileIsMissing() {
        assertFails(folder.resolve("nothing.csv"), "there is no such file");
    }

    @Test
    void saysThatAFolderIsNoTable() {
        assertFails(folder, "it is a folder, name a file");
    }

    @Test
    void saysThatGzipDataIsCutOff() throws IOException {
        byte[] whole = gzip("1,2\n".repeat(1000));

        assertFails(write(Arrays.copyOf(whole, whole.length / 2)), "its gzip data is damaged or cut off");
        assertFails(write(new byte[] {0x1f, (byte) 0x8b, 99, 99, 99}), "its gzip data is damaged or cut off");
    }

    private static void assertFails(Path file, String reason) {
        assertThatThrownBy(() -> NumberTableReader.read(file))
                .isInstanceOfSatisfying(
                        JobException.class, e -> assertThat(e.exitCode()).isEqualTo(1))
                .hasMessage("cannot read a table of numbers from " + file + ": " + reason);
    }

    private Path write(byte[] content) throws IOException {
        return Files.write(folder.resolve("table"), content);
    }

    private static byte[] gzip(String text) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (OutputStream zipped = new GZIPOutputStream(bytes)) {
            zipped.write(text.getBytes(StandardCharsets.UTF_8));
        }
        return bytes.toByteArray();
    }
}
