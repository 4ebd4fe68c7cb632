package org.berth.drawing.internal.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.berth.topology.CpuSet;
import org.berth.topology.NodeSet;
import org.junit.jupiter.api.Test;

class JsonTest {
    private enum Colour {
        DARK_BLUE
    }

    private record Point(int x, Optional<String> name, OptionalDouble weight, Colour colour) {}

    @Test
    void writesEachKindOfValue() {
        Map<Integer, Object> byNumber = new LinkedHashMap<>();
        byNumber.put(10, 1.5);
        byNumber.put(9, 2.5f);
        assertThat(Json.of(Json.object()
                        .with("text", "a \"quote\" \\ \u0001")
                        .with("number", Long.MAX_VALUE)
                        .with("yes", true)
                        .with("cpus", CpuSet.parseList("0-3,8"))
                        .with("nodes", NodeSet.empty())
                        .with("map", byNumber)
                        .with("empty", List.of())
                        .withEach("squares", List.of(1, 2), one -> one * one)
                        .with("point", new Point(1, Optional.of("p"), OptionalDouble.of(0.5), Colour.DARK_BLUE))))
                .isEqualTo("""
                        {
                          "text" : "a \\"quote\\" \\\\ \\u0001",
                          "number" : 9223372036854775807,
                          "yes" : true,
                          "cpus" : "0-3,8",
                          "nodes" : "",
                          "map" : {
                            "10" : 1.5,
                            "9" : 2.5
                          },
                          "empty" : [ ],
                          "squares" : [ 1, 4 ],
                          "point" : {
                            "x" : 1,
                            "name" : "p",
                            "weight" : 0.5,
                            "colour" : "dark_blue"
                          }
                        }
                        """);
    }

    @Test
    void leavesOutWhatIsEmpty() {
        assertThat(Json.of(Json.object()
                        .with("a", Optional.empty())
                        .with("b", OptionalInt.empty())
                        .with("c", OptionalLong.empty())
                        .with("d", new Point(1, Optional.empty(), OptionalDouble.empty(), Colour.DARK_BLUE))))
                .isEqualTo("""
                        {
                          "d" : {
                            "x" : 1,
                            "colour" : "dark_blue"
                          }
                        }
                        """);
    }

    @Test
    void refusesWhatHasNoForm() {
        assertThatThrownBy(() -> Json.of(List.of(new StringBuilder())))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("no JSON for class java.lang.StringBuilder");
    }
}
