package org.berth.drawing.internal.text;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.lang.reflect.RecordComponent;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Function;
import org.berth.topology.CpuSet;
import org.berth.topology.NodeSet;

/**
 * Values as JSON. Maps and records become objects in their order, iterables arrays, enum constants their names in lower
 * case, and sets of CPUs and nodes lists such as "0-3,8". A field whose Optional is empty is left out. Pure.
 */
public final class Json {
    private static final JsonFactory FACTORY = new JsonFactory();

    private final JsonGenerator out;

    private Json(JsonGenerator out) {
        this.out = out;
    }

    /**
     * The value as indented text with a line end.
     *
     * @throws IllegalArgumentException for a value of any other type
     */
    public static String of(Object value) {
        StringWriter text = new StringWriter();
        try (JsonGenerator out = FACTORY.createGenerator(text)) {
            out.useDefaultPrettyPrinter();
            new Json(out).write(value);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.append('\n').toString();
    }

    /** An object without fields so far. */
    public static Fields object() {
        return new Fields();
    }

    /** An object with the components of a record. */
    public static Fields object(Record record) {
        return fields(record);
    }

    /** The fields of an object in the order in which they are added. Not thread-safe. */
    public static final class Fields {
        private final Map<String, Object> all = new LinkedHashMap<>();

        private Fields() {}

        /** Adds a field, or nothing when the value is an empty Optional. */
        public Fields with(String name, Object value) {
            present(value).ifPresent(one -> all.put(name, one));
            return this;
        }

        /** Adds an array with a value for each of the items. */
        public <T> Fields withEach(String name, Collection<T> items, Function<? super T, ?> value) {
            return with(name, items.stream().map(value).toList());
        }

        /** Adds the fields of another object. */
        public Fields with(Fields others) {
            all.putAll(others.all);
            return this;
        }
    }

    private void write(Object value) throws IOException {
        if (value instanceof Fields fields) {
            write(fields.all);
        } else if (value instanceof Record record) {
            write(fields(record));
        } else if (value instanceof Map<?, ?> fields) {
            out.writeStartObject();
            for (Map.Entry<?, ?> field : fields.entrySet()) {
                out.writeFieldName(field.getKey().toString());
                write(field.getValue());
            }
            out.writeEndObject();
        } else if (value instanceof Iterable<?> all) {
            out.writeStartArray();
            for (Object one : all) {
                write(one);
            }
            out.writeEndArray();
        } else if (value instanceof Integer || value instanceof Long) {
            out.writeNumber(((Number) value).longValue());
        } else if (value instanceof Double number) {
            out.writeNumber(number);
        } else if (value instanceof Float number) {
            out.writeNumber(number);
        } else if (value instanceof Boolean flag) {
            out.writeBoolean(flag);
        } else if (value instanceof Enum<?> constant) {
            out.writeString(Labels.lower(constant));
        } else if (value instanceof String || value instanceof CpuSet || value instanceof NodeSet) {
            out.writeString(value.toString());
        } else {
            throw new IllegalArgumentException("no JSON for " + value.getClass());
        }
    }

    private static Fields fields(Record record) {
        Fields fields = object();
        for (RecordComponent component : record.getClass().getRecordComponents()) {
            try {
                component.getAccessor().setAccessible(true);
                fields.with(component.getName(), component.getAccessor().invoke(record));
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException("an accessor of " + record.getClass() + " failed", e);
            }
        }
        return fields;
    }

    private static Optional<?> present(Object value) {
        if (value instanceof Optional<?> optional) {
            return optional;
        }
        if (value instanceof OptionalInt number) {
            return number.isPresent() ? Optional.of(number.getAsInt()) : Optional.empty();
        }
        if (value instanceof OptionalLong number) {
            return number.isPresent() ? Optional.of(number.getAsLong()) : Optional.empty();
        }
        if (value instanceof OptionalDouble number) {
            return number.isPresent() ? Optional.of(number.getAsDouble()) : Optional.empty();
        }
        return Optional.of(value);
    }
}
