package org.berth.jobs.kmeans;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.berth.jobkit.JobException;
import org.berth.jobs.JobOptionsTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KMeansOptionsTest {
    @Test
    void takesValuesInBothForms() {
        KMeansOptions options = parse("--input table.csv --slices=6 --iterations 5 --clusters=4 --tile 3 --threads 2");

        assertThat(options.input()).isEqualTo(Path.of("table.csv"));
        assertThat(options.slices()).isEqualTo(6);
        assertThat(options.iterations()).isEqualTo(5);
        assertThat(options.clusters()).isEqualTo(4);
        assertThat(options.tile()).isEqualTo(3);
        assertThat(options.threads()).isEqualTo(2);
        assertThat(parse("--input table.csv --scale 7").tile()).isEqualTo(7);
    }

    @Test
    void hasFourSlicesAThreadUnlessToldOtherwise() {
        assertThat(parse("--input table.csv --threads 3").slices()).isEqualTo(12);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--tile 2                  | Missing required option: '--input=FILE'",
                "--input=                  | Invalid value for option '--input': '' is not a path",
                "--input                   | Missing required parameter for option '--input' (FILE)",
                "--input a --tile 0        | Invalid value for option '--scale': '0' is not a whole number of at least 1",
                "--input a --slices=-2     | Invalid value for option '--slices': '-2' is not a whole number of at least 1",
                "--input a --threads two   | Invalid value for option '--threads': 'two' is not a whole number of at least 1",
                "--input a --clusters 1e3  | Invalid value for option '--clusters': '1e3' is not a whole number of at least 1",
                "--input a --iterations 9999999999 "
                        + "| Invalid value for option '--iterations': '9999999999' is not a whole number of at least 1",
                "--input a --input b       | option '--input' (FILE) should be specified only once",
                "--input a --tile 2 --scale 3 | option '--scale' (N) should be specified only once",
                "--input a --speed 3       | Unknown options: '--speed', '3'",
                "--input a table.csv       | Unmatched argument at index 2: 'table.csv'"
            })
    void saysWhatIsWrongInOneLine(String commandLine, String message) {
        assertThatThrownBy(() -> parse(commandLine))
                .isInstanceOfSatisfying(
                        JobException.class, e -> assertThat(e.exitCode()).isEqualTo(2))
                .hasMessage(message + " (--help lists the options)");
    }

    private static KMeansOptions parse(String commandLine) {
        return JobOptionsTest.parse(new KMeansOptions(), commandLine);
    }
}
