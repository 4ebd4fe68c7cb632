package org.berth.daemons;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a page of the documentation tells its reader to type or to copy. */
record Page(String text) {
    private static final Pattern PROPERTY =
            Pattern.compile("<property><name>([^<]+)</name>\\s*<value>([^<]+)</value></property>");

    static Page of(String name) throws IOException {
        return new Page(Files.readString(Path.of("../../docs/engines", name)));
    }

    /** The properties of the first block of XML after a heading. */
    Map<String, String> properties(String heading) {
        Map<String, String> properties = new LinkedHashMap<>();
        Matcher property = PROPERTY.matcher(block(heading, "```xml\n", ""));
        while (property.find()) {
            properties.put(property.group(1), property.group(2));
        }
        return properties;
    }

    /** The first block of commands after a heading that has a text in it. */
    String commands(String heading, String text) {
        return block(heading, "```\n", text);
    }

    private String block(String heading, String opening, String part) {
        int at = text.indexOf("\n" + heading + "\n");
        while (at >= 0) {
            int start = text.indexOf(opening, at);
            int end = start < 0 ? -1 : text.indexOf("\n```", start + opening.length());
            if (end < 0) {
                break;
            }
            String block = text.substring(start + opening.length(), end + 1);
            if (block.contains(part) && !block.contains("```")) {
                return block;
            }
            at = end + 1;
        }
        throw new AssertionError("no block with '" + part + "' after " + heading);
    }
}
