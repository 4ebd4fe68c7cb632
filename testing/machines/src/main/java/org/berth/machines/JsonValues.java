package org.berth.machines;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** JSON as maps, lists, strings, numbers and booleans. */
public final class JsonValues {
    private JsonValues() {}

    /** The object that the text holds; an {@link IllegalArgumentException} for anything else. */
    @SuppressWarnings("unchecked")
    public static Map<String, Object> object(String json) {
        try (JsonParser parser = new JsonFactory().createParser(json)) {
            parser.nextToken();
            Object value = value(parser);
            if (parser.nextToken() != null) {
                throw new IllegalArgumentException("more than one value");
            }
            return (Map<String, Object>) value;
        } catch (IOException e) {
            throw new IllegalArgumentException(e);
        }
    }

    /** The value of a field that must be there. */
    public static Object field(Map<?, ?> object, String name) {
        return Objects.requireNonNull(object.get(name), name);
    }

    private static Object value(JsonParser parser) throws IOException {
        return switch (parser.currentToken()) {
            case START_OBJECT -> {
                Map<String, Object> object = new LinkedHashMap<>();
                while (parser.nextToken() != JsonToken.END_OBJECT) {
                    String name = parser.currentName();
                    parser.nextToken();
                    if (object.put(name, value(parser)) != null) {
                        throw new IllegalArgumentException("field " + name + " twice");
                    }
                }
                yield object;
            }
            case START_ARRAY -> {
                List<Object> array = new ArrayList<>();
                while (parser.nextToken() != JsonToken.END_ARRAY) {
                    array.add(value(parser));
                }
                yield array;
            }
            case VALUE_NUMBER_INT -> parser.getLongValue();
            case VALUE_NUMBER_FLOAT -> parser.getDoubleValue();
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            default -> parser.getText();
        };
    }
}
