package org.berth.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KMeansOptionsTest {
    @Test
    void shouldTakeValuesInBothForms() {
        KMeansOptions options = parse("--input table.csv --slices=6 --iterations 5 --clusters=4 --tile 3 --threads 2");

        assertThat(options).isEqualTo(new KMeansOptions(Path.of("table.csv"), 6, 5, 4, 3, 2));
    }

    @Test
    void shouldHaveFourSlicesAThreadUnlessToldOtherwise() {
        assertThat(parse("--input table.csv --threads 3").slices()).isEqualTo(12);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--tile 2                  | --input FILE is missing",
                "--input=                  | --input FILE is missing",
                "--input                   | --input needs a value",
                "--input a --tile 0        | --tile needs a whole number of at least 1, not '0'",
                "--input a --slices=-2     | --slices needs a whole number of at least 1, not '-2'",
                "--input a --threads two   | --threads needs a whole number of at least 1, not 'two'",
                "--input a --clusters 1e3  | --clusters needs a whole number of at least 1, not '1e3'",
                "--input a --iterations 9999999999 "
                        + "| --iterations needs a whole number of at least 1, not '9999999999'",
                "--input a --input b       | --input is given twice",
                "--input a --tile 2 --scale 3 | --scale is another name of --tile; give one of them",
                "--input a --speed 3       | unknown option '--speed'",
                "table.csv                 | unknown option 'table.csv'"
            })
    void shouldSayWhatIsWrongInOneLine(String commandLine, String message) {
        assertThatThrownBy(() -> parse(commandLine))
                .isInstanceOfSatisfying(
                        JobException.class, e -> assertThat(e.exitCode()).isEqualTo(2))
                .hasMessage(message + " (--help lists the options)");
    }

    @Test
    void shouldDescribeEveryOption() {
        assertThat(KMeansOptions.HELP)
                .contains("--input", "--clusters", "--iterations", "--tile", "--scale", "--slices", "--threads");
    }

    private static KMeansOptions parse(String commandLine) {
        return KMeansOptions.parse(List.of(commandLine.split(" ", -1)));
    }
}
