package org.berth.experiments;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Reads what {@link JsonObject} and the meter wrote: one object, whose absent fields and nulls are the same. */
final class JsonTree {
    private static final JsonFactory FACTORY = new JsonFactory();

    private final Map<String, Object> fields;

    private JsonTree(Map<String, Object> fields) {
        this.fields = fields;
    }

    /** @throws IOException when it is no JSON object */
    static JsonTree parse(String text) throws IOException {
        try (JsonParser parser = FACTORY.createParser(text)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw new IOException("not a JSON object: " + text);
            }
            return object(parser);
        }
    }

    private static JsonTree object(JsonParser parser) throws IOException {
        Map<String, Object> fields = new LinkedHashMap<>();
        for (JsonToken token = parser.nextToken(); token != JsonToken.END_OBJECT; token = parser.nextToken()) {
            String name = parser.currentName();
            parser.nextToken();
            Object value = value(parser);
            if (value != null) {
                fields.put(name, value);
            }
        }
        return new JsonTree(fields);
    }

    private static @Nullable Object value(JsonParser parser) throws IOException {
        return switch (parser.currentToken()) {
            case START_OBJECT -> object(parser);
            case START_ARRAY -> {
                List<String> items = new ArrayList<>();
                while (parser.nextToken() != JsonToken.END_ARRAY) {
                    items.add(parser.getText());
                }
                yield items;
            }
            case VALUE_NULL -> null;
            case VALUE_NUMBER_INT -> parser.getLongValue();
            case VALUE_NUMBER_FLOAT -> parser.getDoubleValue();
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            default -> parser.getText();
        };
    }

    boolean has(String name) {
        return fields.containsKey(name);
    }

    /** @throws IOException when the field is missing or no text */
    String text(String name) throws IOException {
        return require(name, String.class);
    }

    boolean isTrue(String name) throws IOException {
        return require(name, Boolean.class);
    }

    /** @throws IOException when the field is missing or no whole number */
    long number(String name) throws IOException {
        return require(name, Long.class);
    }

    double decimal(String name) throws IOException {
        return require(name, Number.class).doubleValue();
    }

    OptionalDouble optionalDecimal(String name) throws IOException {
        return has(name) ? OptionalDouble.of(decimal(name)) : OptionalDouble.empty();
    }

    OptionalLong optionalNumber(String name) throws IOException {
        return has(name) ? OptionalLong.of(number(name)) : OptionalLong.empty();
    }

    OptionalInt optionalInt(String name) throws IOException {
        return has(name) ? OptionalInt.of((int) number(name)) : OptionalInt.empty();
    }

    JsonTree child(String name) throws IOException {
        return require(name, JsonTree.class);
    }

    List<String> texts(String name) throws IOException {
        List<String> texts = new ArrayList<>();
        List<?> list = require(name, List.class);
        list.forEach(text -> texts.add(String.valueOf(text)));
        return texts;
    }

    Map<String, String> textsByName() {
        Map<String, String> texts = new LinkedHashMap<>();
        fields.forEach((name, value) -> texts.put(name, String.valueOf(value)));
        return texts;
    }

    Map<String, Long> numbersByName() throws IOException {
        Map<String, Long> numbers = new LinkedHashMap<>();
        for (String name : fields.keySet()) {
            numbers.put(name, number(name));
        }
        return numbers;
    }

    Map<String, Double> decimalsByName() throws IOException {
        Map<String, Double> numbers = new LinkedHashMap<>();
        for (String name : fields.keySet()) {
            numbers.put(name, decimal(name));
        }
        return numbers;
    }

    /** The fields that are objects, in their order. */
    Map<String, JsonTree> childrenByName() throws IOException {
        Map<String, JsonTree> children = new LinkedHashMap<>();
        for (String name : fields.keySet()) {
            children.put(name, child(name));
        }
        return children;
    }

    private <T> T require(String name, Class<T> type) throws IOException {
        Object value = fields.get(name);
        if (!type.isInstance(value)) {
            throw new IOException("field " + name + " is " + (value == null ? "missing" : "of another kind"));
        }
        return type.cast(value);
    }
}
