package org.berth.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.List;
import org.berth.jobkit.JobException;
import org.berth.jobkit.JobMain;
import org.berth.jobkit.JobOptions;
import org.berth.jobs.memory.MemoryOptions;
import org.berth.jobs.shuffle.ShuffleOptions;
import org.berth.jobs.tpch.TpchOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

public class JobOptionsTest {
    @Test
    void takesValuesInBothForms() {
        TpchOptions tpch =
                parse(new TpchOptions(), "--scale=0.50 --queries 6,1 --data d --rounds=2 --answers --threads 3");
        assertThat(tpch.scale()).isEqualTo(new BigDecimal("0.5"));
        assertThat(tpch.queries()).containsExactly(6, 1);
        assertThat(tpch.data()).isEqualTo(Path.of("d"));
        assertThat(tpch.rounds()).isEqualTo(2);
        assertThat(tpch.answers()).isTrue();
        assertThat(tpch.threads()).isEqualTo(3);

        ShuffleOptions shuffle = parse(new ShuffleOptions() {}, "--scale 2 --threads=3 --seed -4");
        assertThat(shuffle.records()).isEqualTo(200_000);
        assertThat(shuffle.slices()).isEqualTo(12);
        assertThat(shuffle.iterations()).isEqualTo(3);
        assertThat(shuffle.seed()).isEqualTo(-4);

        MemoryOptions memory = parse(new MemoryOptions(64, 7) {}, "--unbound --scale 3");
        assertThat(memory.sizeBytes()).isEqualTo(3 << 20);
        assertThat(memory.rounds()).isEqualTo(7);
        assertThat(memory.threads()).isEmpty();
        assertThat(memory.seed()).isEqualTo(1);
        assertThat(memory.json()).isFalse();
    }

    @Test
    void runsAllQueriesUnlessToldOtherwise() {
        TpchOptions tpch = parse(new TpchOptions(), "--answers");
        assertThat(tpch.queries()).hasSize(22).startsWith(1, 2).endsWith(21, 22);
        assertThat(tpch.scale()).isEqualTo(new BigDecimal("0.1"));
        assertThat(tpch.data()).isEqualTo(Path.of("berth-data"));
        assertThat(tpch.threads()).isEqualTo(Runtime.getRuntime().availableProcessors());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--scale 0.0001    | Invalid value for option '--scale': '0.0001' is not from 0.001 to 100",
                "--scale 1000      | Invalid value for option '--scale': '1000' is not from 0.001 to 100",
                "--scale one       | Invalid value for option '--scale': 'one' is not a number",
                "--queries 1,1     | Invalid value for option '--queries': these are not different numbers from 1 to 22: [1, 1]",
                "--queries 23      | Invalid value for option '--queries': these are not different numbers from 1 to 22: [23]",
                "--queries 0       | Invalid value for option '--queries' (N): '0' is not a whole number of at least 1",
                "--queries=        | Invalid value for option '--queries' (N): '' is not a whole number of at least 1",
                "--queries q1      | Invalid value for option '--queries' (N): 'q1' is not a whole number of at least 1",
                "--data            | Missing required parameter for option '--data' (DIR)",
                "--data=           | Invalid value for option '--data': '' is not a path",
                "--threads 0       | Invalid value for option '--threads': '0' is not a whole number of at least 1",
                "--answers --fast  | Unknown option: '--fast'"
            })
    void saysWhatIsWrongInOneLine(String commandLine, String message) {
        assertThatThrownBy(() -> parse(new TpchOptions(), commandLine))
                .isInstanceOfSatisfying(
                        JobException.class, e -> assertThat(e.exitCode()).isEqualTo(2))
                .hasMessage(message + " (--help lists the options)");
    }

    public static <O extends JobOptions> O parse(O options, String commandLine) {
        assertThat(JobMain.parse(options, List.of(commandLine.split(" ", -1)))).isTrue();
        return options;
    }
}
