package org.berth.observation;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;

/** Files and links of /proc and /sys in one text: "=== PATH" and the content, or "=== PATH -> TARGET". */
public final class RecordedRoot {
    private RecordedRoot() {}

    /** The tree of machines/NAME.tree below a folder; made when it is not there. */
    public static Path unpack(String name, Path parent) throws IOException {
        Path folder = parent.resolve(name);
        if (Files.isDirectory(folder)) {
            return folder;
        }
        String text;
        try (InputStream in = RecordedRoot.class.getResourceAsStream("machines/" + name + ".tree")) {
            text = new String(Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8);
        }
        String[] parts = text.split("(?m)^=== ", -1);
        for (int i = 1; i < parts.length; i++) {
            int end = parts[i].indexOf('\n');
            String[] head = parts[i].substring(0, end).split(" -> ", -1);
            Path file = folder.resolve(head[0]);
            Files.createDirectories(Objects.requireNonNull(file.getParent()));
            if (head.length == 2) {
                Files.createSymbolicLink(file, Path.of(head[1]));
            } else {
                Files.writeString(file, parts[i].substring(end + 1));
            }
        }
        return folder;
    }
}
