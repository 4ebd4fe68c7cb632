package org.berth.experiments;

import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Writes one JSON object on one line (RFC 8259). Fields keep their order; numbers that JSON cannot say become null. */
final class JsonObject {
    private final StringBuilder text = new StringBuilder("{");

    JsonObject with(String key, String value) {
        key(key);
        string(value);
        return this;
    }

    JsonObject with(String key, long value) {
        key(key);
        text.append(value);
        return this;
    }

    JsonObject with(String key, double value) {
        key(key);
        text.append(Double.isFinite(value) ? Double.toString(value) : "null");
        return this;
    }

    JsonObject with(String key, boolean value) {
        key(key);
        text.append(value);
        return this;
    }

    JsonObject withNull(String key) {
        key(key);
        text.append("null");
        return this;
    }

    JsonObject with(String key, JsonObject value) {
        key(key);
        text.append(value);
        return this;
    }

    JsonObject with(String key, List<String> values) {
        key(key);
        text.append('[');
        for (int i = 0; i < values.size(); i++) {
            text.append(i == 0 ? "" : ",");
            string(values.get(i));
        }
        text.append(']');
        return this;
    }

    JsonObject with(String key, Map<String, String> values) {
        JsonObject object = new JsonObject();
        values.forEach(object::with);
        return with(key, object);
    }

    private void key(String key) {
        if (text.length() > 1) {
            text.append(',');
        }
        string(key);
        text.append(':');
    }

    private void string(String value) {
        text.append('"');
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '"' || c == '\\') {
                text.append('\\').append(c);
            } else if (c < ' ' || Character.isSurrogate(c)) {
                text.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
            } else {
                text.append(c);
            }
        }
        text.append('"');
    }

    /** The object; nothing may be added afterwards. */
    @Override
    public String toString() {
        return text + "}";
    }
}
