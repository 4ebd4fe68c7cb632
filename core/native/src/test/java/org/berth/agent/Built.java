package org.berth.agent;

import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;

/** What this module built. */
final class Built {
    private Built() {}

    static String library() {
        return file("libberth.so");
    }

    static String exec() {
        return file("berth-exec");
    }

    static String agent(String options) {
        return "-agentpath:" + library() + "=" + options;
    }

    private static String file(String name) {
        String architecture = System.getProperty("os.arch").replace("amd64", "x86_64");
        String resource = "/META-INF/native/linux-" + architecture + "/" + name;
        try {
            Path path = Path.of(Objects.requireNonNull(Built.class.getResource(resource), resource)
                    .toURI());
            if (!Files.exists(path)) {
                throw new IllegalStateException("not built: " + path);
            }
            return path.toString();
        } catch (URISyntaxException problem) {
            throw new IllegalStateException(problem);
        }
    }
}
