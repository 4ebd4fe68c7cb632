package org.berth.observation;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A folder that stands for / with files as kernels write them. */
public record FakeRoot(Path path) {
    public FakeRoot file(String name, String content) throws IOException {
        Path file = path.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, content + "\n");
        return this;
    }
}
