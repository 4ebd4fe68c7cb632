package org.berth.experiments.trial;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.UncheckedIOException;

/** Records as lines of JSON (RFC 8259), with a field for each component. */
public final class JsonLines {
    private static final JsonMapper MAPPER = JsonMapper.builder()
            // Names of threads and arguments may hold half of a surrogate pair, which UTF-8 cannot say.
            .enable(JsonWriteFeature.ESCAPE_NON_ASCII)
            .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();

    private JsonLines() {}

    /** The record on one line, without a line end. */
    public static String write(Record line) {
        try {
            return MAPPER.writeValueAsString(line);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e); // a record that Jackson cannot write at all
        }
    }

    /**
     * The record of a line; fields that it does not know are ignored.
     *
     * @throws IOException when the line is no JSON, or lacks a component that is a number or that the record requires
     */
    public static <T extends Record> T read(String line, Class<T> type) throws IOException {
        return MAPPER.readValue(line, type);
    }
}
