package org.berth.text;

import java.lang.reflect.RecordComponent;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Function;

/**
 * Values as JSON. Maps and records become objects in their order, iterables arrays, enum constants their names in lower
 * case, and all other comparable values, such as sets of CPUs ("0-3,8"), their text. A field whose Optional is empty is left
 * out. Pure.
 */
public final class Json {
    private static final String INDENT = "  ";

    private final StringBuilder out = new StringBuilder();
    /** Whether each field of an object has a line of its own. */
    private final boolean indented;

    private int depth;

    private Json(boolean indented) {
        this.indented = indented;
    }

    /**
     * The value as indented text with a line end.
     *
     * @throws IllegalArgumentException for a value of any other type
     */
    public static String of(Object value) {
        Json json = new Json(true);
        json.write(value);
        return json.out.append('\n').toString();
    }

    /**
     * The value on one line without blanks and without a line end.
     *
     * @throws IllegalArgumentException for a value of any other type
     */
    public static String line(Object value) {
        Json json = new Json(false);
        json.write(value);
        return json.out.toString();
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

    private void write(Object value) {
        if (value instanceof Fields fields) {
            writeObject(fields.all);
        } else if (value instanceof Record record) {
            writeObject(fields(record).all);
        } else if (value instanceof Map<?, ?> fields) {
            writeObject(fields);
        } else if (value instanceof Iterable<?> all) {
            writeArray(all);
        } else if (value instanceof Integer || value instanceof Long || value instanceof Boolean) {
            out.append(value);
        } else if (value instanceof Double || value instanceof Float) {
            writeReal((Number) value);
        } else if (value instanceof Enum<?> constant) {
            writeString(constant.name().toLowerCase(Locale.ROOT));
        } else if (value instanceof Comparable<?>) {
            writeString(value.toString());
        } else {
            throw new IllegalArgumentException("no JSON for " + value.getClass());
        }
    }

    private void writeObject(Map<?, ?> fields) {
        out.append('{');
        depth++;
        String separator = "";
        for (Map.Entry<?, ?> field : fields.entrySet()) {
            out.append(separator);
            lineBreak();
            writeString(field.getKey().toString());
            out.append(indented ? " : " : ":");
            write(field.getValue());
            separator = ",";
        }
        depth--;
        if (!fields.isEmpty()) {
            lineBreak();
        } else if (indented) {
            out.append(' ');
        }
        out.append('}');
    }

    private void lineBreak() {
        if (indented) {
            out.append('\n').append(INDENT.repeat(depth));
        }
    }

    private void writeArray(Iterable<?> all) {
        String blank = indented ? " " : "";
        out.append('[');
        String separator = "";
        for (Object one : all) {
            out.append(separator).append(blank);
            write(one);
            separator = ",";
        }
        out.append(blank).append(']');
    }

    /** JSON has no number for "not a number" and infinity, so these are strings. */
    private void writeReal(Number number) {
        if (Double.isFinite(number.doubleValue())) {
            out.append(number);
        } else {
            writeString(number.toString());
        }
    }

    private void writeString(String text) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '"', '\\' -> out.append('\\').append(c);
                case '\b' -> out.append("\\b");
                case '\t' -> out.append("\\t");
                case '\n' -> out.append("\\n");
                case '\f' -> out.append("\\f");
                case '\r' -> out.append("\\r");
                default -> {
                    if (c < ' ') {
                        out.append(String.format(Locale.ROOT, "\\u%04X", (int) c));
                    } else {
                        out.append(c);
                    }
                }
            }
        }
        out.append('"');
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
