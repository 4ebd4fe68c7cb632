package org.berth.agent;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/** What this module built. */
final class Built {
    private static final Map<Path, Path> COPIES = new HashMap<>();

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
            return path.toString().matches("\\S+")
                    ? path.toString()
                    : copy(path).toString();
        } catch (URISyntaxException problem) {
            throw new IllegalStateException(problem);
        } catch (IOException problem) {
            throw new UncheckedIOException(problem);
        }
    }

    /** JVMs split their variables and argument files at blanks, and a checkout may lie in a folder whose name has one. */
    private static synchronized Path copy(Path path) throws IOException {
        Path copy = COPIES.get(path);
        if (copy == null) {
            Path folder = Files.createTempDirectory("berth-built");
            folder.toFile().deleteOnExit();
            copy = Files.copy(path, folder.resolve(path.getFileName()), StandardCopyOption.COPY_ATTRIBUTES);
            copy.toFile().deleteOnExit();
            COPIES.put(path, copy);
        }
        return copy;
    }
}
