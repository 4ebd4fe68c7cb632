package org.berth.cli.split;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import java.util.List;
import org.berth.placement.internal.shape.ShapePart;
import org.berth.topology.CpuSet;
import org.berth.topology.NodeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("one-jdk")
class PlaceholdersTest {
    private static ShapePart part(long heapBytes) {
        return new ShapePart(
                3, CpuSet.parseList("24-31,88-95"), 8, NodeSet.of(1), 64L << 20, heapBytes, "8 cores of L3 L#3");
    }

    private static final Placeholders VALUES = new Placeholders(part(12L << 30), 16);

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {i}                             | 3
            {i}/{n}                         | 3/16
            -Xmx{heap}                      | -Xmx12g
            {cpus};{cpucount};{node}        | 24-31,88-95;16;1
            PLAINTEXT://:{9092+i}           | PLAINTEXT://:9095
            {9092+i*10}{i}                  | 91223
            {{"id":{{"i":{i}}}}}            | {"id":{"i":3}}
            $X{{}}                          | $X{}
            plain                           | plain
            """)
    void aWordHasTheValuesOfItsProcess(String word, String expected) {
        Placeholders.check(List.of(word));
        assertThat(VALUES.expand(List.of(word))).containsExactly(expected);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            -Xmx{heaps} | '-Xmx{heaps}': unknown placeholder {heaps}; did you mean {heap}? there are {i} (index from 0), {n}
            {port+}     | '{port+}': unknown placeholder {port+}; there are {i} (index
            {}          | '{}': unknown placeholder {}; there are
            {9092+j}    | '{9092+j}': unknown placeholder {9092+j};
            ${HOME      | '${HOME': a lone {; write {{ for the character itself
            a}          | 'a}': a lone }; write }} for the character itself
            """)
    void aWrongOneIsAUsageErrorThatNamesThoseThereAre(String word, String message) {
        assertThatThrownBy(() -> Placeholders.check(List.of(word))).hasMessageStartingWith(message);
    }

    @Test
    void theEnvironmentHoldsTheSame() {
        assertThat(VALUES.environment())
                .containsExactly(
                        entry("BERTH_SPLIT_INDEX", "3"),
                        entry("BERTH_SPLIT_COUNT", "16"),
                        entry("BERTH_SPLIT_CPUS", "24-31,88-95"),
                        entry("BERTH_SPLIT_CPU_COUNT", "16"),
                        entry("BERTH_SPLIT_NODES", "1"),
                        entry("BERTH_SPLIT_HEAP", "12g"));
    }

    @Test
    void withoutMemoryThereIsNoHeap() {
        Placeholders none = new Placeholders(part(0), 16);
        assertThat(none.expand(List.of("{i}"))).containsExactly("3");
        assertThat(none.environment()).doesNotContainKey("BERTH_SPLIT_HEAP");
        assertThatThrownBy(() -> none.expand(List.of("{heap}")))
                .hasMessage(
                        "{heap}: process 3 would have 64 MiB of memory, too little for a heap; give --heap, or fewer parts");
    }
}
