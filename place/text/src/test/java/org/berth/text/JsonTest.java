package org.berth.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
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
                        .with("time", Duration.ofSeconds(3))
                        .with("unknown", Double.NaN)
                        .with("none", Map.of())
                        .with("map", byNumber)
                        .with("empty", List.of())
                        .withEach("squares", List.of(1, 2), one -> one * one)
                        .with("point", new Point(1, Optional.of("p"), OptionalDouble.of(0.5), Colour.DARK_BLUE))))
                .isEqualTo("""
                        {
                          "text" : "a \\"quote\\" \\\\ \\u0001",
                          "number" : 9223372036854775807,
                          "yes" : true,
                          "time" : "PT3S",
                          "unknown" : "NaN",
                          "none" : { },
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
        assertThatThrownBy(() -> Json.of(List.of(new Object())))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("no JSON for class java.lang.Object");
    }

    @Test
    void aLineHasNoBlanks() {
        assertThat(Json.line(Json.object()
                        .with("a", List.of(1, 2))
                        .with("b", Json.object())
                        .with("c", "d e")))
                .isEqualTo("{\"a\":[1,2],\"b\":{},\"c\":\"d e\"}");
    }
}
