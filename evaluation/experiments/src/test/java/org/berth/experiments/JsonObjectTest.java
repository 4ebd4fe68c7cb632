package org.berth.experiments;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Read back by Jackson. */
class JsonObjectTest {
    @Test
    void everyCharacterSurvives() throws IOException {
        StringBuilder all = new StringBuilder("\"\\/ \uD83D\uDE00 \uD83D ");
        for (char c = 0; c < 0x300; c++) {
            all.append(c);
        }
        String line = new JsonObject().with("x", all.toString()).toString();
        assertThat(line).doesNotContain("\n");
        try (JsonParser parser = new JsonFactory().createParser(line)) {
            parser.nextToken();
            parser.nextToken();
            assertThat(parser.nextTextValue()).isEqualTo(all.toString());
        }
    }

    @Test
    void allKindsOfValues() throws IOException {
        String line = new JsonObject()
                .with("list", List.of("a", "b"))
                .with("map", Map.of("k", "v"))
                .with("long", Long.MAX_VALUE)
                .with("double", 0.1)
                .with("nan", Double.NaN)
                .with("infinite", Double.POSITIVE_INFINITY)
                .with("yes", true)
                .withNull("none")
                .with("empty", List.of())
                .toString();
        List<String> tokens = new ArrayList<>();
        try (JsonParser parser = new JsonFactory().createParser(line)) {
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                tokens.add(parser.getText());
            }
        }
        assertThat(tokens)
                .containsExactly(
                        "{",
                        "list",
                        "[",
                        "a",
                        "b",
                        "]",
                        "map",
                        "{",
                        "k",
                        "v",
                        "}",
                        "long",
                        "9223372036854775807",
                        "double",
                        "0.1",
                        "nan",
                        "null",
                        "infinite",
                        "null",
                        "yes",
                        "true",
                        "none",
                        "null",
                        "empty",
                        "[",
                        "]",
                        "}");
    }
}
