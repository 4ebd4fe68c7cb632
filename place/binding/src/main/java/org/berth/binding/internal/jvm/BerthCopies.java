package org.berth.binding.internal.jvm;

import java.io.IOException;
import java.io.InputStream;
import java.net.JarURLConnection;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLConnection;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The copies of Berth in this JVM. An engine can load Berth twice, or in two versions: a jar on the class path of the host next to one that
 * a job brings, or two class loaders. A program inside an engine {@link #use}s its copy before it binds. The copies agree by properties of the JVM, so that a task
 * is done by one of them, and one line names them all. Thread-safe.
 *
 * @since 0.1.0
 */
public final class BerthCopies {
    /** In each copy, with its version. */
    private static final String RESOURCE = "META-INF/berth/version";

    private static final String TOLD = "org.berth.copies.told";
    private static final String TASK = "org.berth.copies.task.";
    private static final String ID = UUID.randomUUID().toString();

    /** How often this copy uses itself for a task. */
    private static final Map<String, Integer> USES = new HashMap<>();

    private BerthCopies() {}

    /**
     * The use of this copy for a task of this JVM, until it is closed. Thread-safe.
     *
     * @since 0.1.0
     */
    public static final class Use implements AutoCloseable {
        private final String task;
        private final boolean allowed;
        private final String line;
        private boolean closed;

        private Use(String task, boolean allowed, String line) {
            this.task = task;
            this.allowed = allowed;
            this.line = line;
        }

        /** Whether this copy may bind. If not, another one does, or its classes belong to two versions. */
        public boolean isAllowed() {
            return allowed;
        }

        /** One line for the log that names the copies; empty when there is one only, or when this JVM has logged it. */
        public Optional<String> line() {
            return line.isEmpty() ? Optional.empty() : Optional.of(line);
        }

        /** Leaves the task to others. */
        @Override
        public void close() {
            Properties shared = System.getProperties();
            synchronized (shared) {
                if (allowed && !closed && USES.merge(task, -1, Integer::sum) == 0) {
                    shared.remove(TASK + task);
                }
                closed = true;
            }
        }
    }

    /**
     * Uses this copy for a task that only one copy of a JVM may do.
     *
     * @param task such as "this executor", for the line
     * @param engine a class of the engine's module, which must have the version of this class
     * @param passedOver a folder with files that the engine itself has copied, which do not count
     */
    public static Use use(String task, Class<?> engine, @Nullable Path passedOver) {
        String mixed = mixed(engine);
        Properties shared = System.getProperties();
        synchronized (shared) {
            String holder = shared.getProperty(TASK + task);
            if (!mixed.isEmpty()) {
                return new Use(task, false, mixed);
            }
            if (holder != null && !holder.startsWith(ID)) {
                return new Use(
                        task,
                        false,
                        "two copies of Berth are loaded: " + own() + " leaves " + task + " to "
                                + holder.substring(ID.length() + 1) + ", which came first; keep one of them");
            }
            shared.setProperty(TASK + task, ID + " " + own());
            USES.merge(task, 1, Integer::sum);
            String several = several(passedOver);
            boolean told = several.isEmpty() || shared.putIfAbsent(TOLD, "true") != null;
            return new Use(task, true, told ? "" : several);
        }
    }

    /** Uses this copy for a task that only one copy of a JVM may do. */
    public static Use use(String task, Class<?> engine) {
        return use(task, engine, null);
    }

    /** This copy's version and place, "0.1.0 in /opt/berth/berth-spark-0.1.0.jar". */
    static String own() {
        String place = place(BerthCopies.class);
        return visible().entrySet().stream()
                .filter(copy -> copy.getKey().toString().equals(place))
                .map(copy -> copy.getValue() + " in " + place)
                .findFirst()
                .orElse(place);
    }

    /** Classes of two versions in one class path, where each comes from the first jar that has it. */
    private static String mixed(Class<?> engine) {
        String own = BerthCopies.class.getPackage().getImplementationVersion();
        String other = engine.getPackage().getImplementationVersion();
        return own == null || other == null || own.equals(other)
                ? ""
                : "two versions of Berth are mixed on the class path, " + other + " in " + place(engine) + " and " + own
                        + " in " + place(BerthCopies.class) + ", so that nothing is bound; keep one of them";
    }

    private static String several(@Nullable Path passedOver) {
        String place = place(BerthCopies.class);
        List<String> others = new ArrayList<>();
        visible().forEach((file, version) -> {
            if (!file.toString().equals(place) && (passedOver == null || !file.startsWith(passedOver))) {
                others.add(version + " in " + file);
            }
        });
        return others.isEmpty()
                ? ""
                : (others.size() + 1) + " copies of Berth are on the class path: " + own() + " is used, "
                        + String.join(", ", others) + (others.size() == 1 ? " is not" : " are not")
                        + "; keep one of them";
    }

    /** The files or folders with a copy that this class and the current thread can load, and their versions. */
    private static Map<Path, String> visible() {
        Map<Path, String> copies = new LinkedHashMap<>();
        for (ClassLoader loader : loaders()) {
            addVisible(loader, copies);
        }
        return copies;
    }

    private static void addVisible(ClassLoader loader, Map<Path, String> copies) {
        try {
            for (URL url : Collections.list(loader.getResources(RESOURCE))) {
                copies.putIfAbsent(real(root(url)), read(url));
            }
        } catch (IOException | URISyntaxException | RuntimeException e) {
            // A loader that has been closed, or one of another kind: what it has is not known.
            return;
        }
    }

    private static List<ClassLoader> loaders() {
        ClassLoader own = Objects.requireNonNull(BerthCopies.class.getClassLoader());
        ClassLoader context = Thread.currentThread().getContextClassLoader();
        return context == null || context == own ? List.of(own) : List.of(own, context);
    }

    private static Path root(URL url) throws IOException, URISyntaxException {
        String text = url.toString();
        if (url.getProtocol().equals("jar")) {
            text = text.substring("jar:".length(), text.lastIndexOf("!/"));
            return Path.of(new URI(text));
        }
        return Path.of(new URI(text.substring(0, text.length() - RESOURCE.length())));
    }

    private static String read(URL url) throws IOException {
        URLConnection connection = url.openConnection();
        // A jar that stays open would give a later class loader the old content of a file that is replaced.
        connection.setUseCaches(!(connection instanceof JarURLConnection));
        try (InputStream in = connection.getInputStream()) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).strip();
        }
    }

    private static String place(Class<?> type) {
        try {
            return real(Path.of(type.getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI()))
                    .toString();
        } catch (URISyntaxException | RuntimeException e) {
            return "an unknown place";
        }
    }

    /** The same file may be there under several names. */
    private static Path real(Path file) {
        try {
            return Files.exists(file) ? file.toRealPath() : file;
        } catch (IOException e) {
            return file;
        }
    }
}
