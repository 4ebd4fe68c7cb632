package org.berth.cli.shared.arguments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Optional;
import org.berth.cli.shared.CommandException;
import org.berth.placement.internal.shape.Division;
import org.berth.placement.internal.shape.ShapeRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HeapArgumentTest {
    private static final ShapeRequest PARTS = ShapeRequest.of(Division.parse("numa"));

    @Test
    void withoutTheOptionTheRequestIsTheSame() {
        assertThat(HeapArgument.on(PARTS, Optional.empty())).isEqualTo(PARTS);
    }

    @ParameterizedTest
    @CsvSource({"1000, 1000", "512m, 536870912", "2Gb, 2147483648", "1t, 1099511627776"})
    void aSizeIsForAllProcesses(String text, long bytes) {
        assertThat(HeapArgument.on(PARTS, Optional.of(text))).isEqualTo(PARTS.withHeapBytes(bytes));
    }

    @ParameterizedTest
    @CsvSource({"1%, 1", "60%, 60", "100%, 100"})
    void aPercentageIsAShareOfTheMemory(String text, int percent) {
        assertThat(HeapArgument.on(PARTS, Optional.of(text))).isEqualTo(PARTS.withHeapPercent(percent));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "much", "g", "0g", "-1g", "1.5g", "0%", "101%", "99999999999t"})
    void anyOtherTextIsWrongUsage(String text) {
        assertThatThrownBy(() -> HeapArgument.on(PARTS, Optional.of(text)))
                .isInstanceOf(CommandException.class)
                .hasMessageStartingWith("--heap " + text + ": give the total heap of all processes");
    }
}
