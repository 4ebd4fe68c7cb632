package org.berth.oracle;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Enumeration;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/** Jars that tests make of the jar for an engine, and of its class path. */
public final class JarFiles {
    private JarFiles() {}

    /** The jar for the engine. */
    public static Path one() {
        return Path.of(Objects.requireNonNull(System.getProperty("berth.one.jar")))
                .toAbsolutePath()
                .normalize();
    }

    /** The names of all files in a jar. */
    public static List<String> names(Path jar) throws IOException {
        try (ZipFile zip = new ZipFile(jar.toFile())) {
            return zip.stream()
                    .filter(entry -> !entry.isDirectory())
                    .map(ZipEntry::getName)
                    .toList();
        }
    }

    /** The engine itself: the class path of the tests without anything of Berth's. */
    public static String engine() {
        return Stream.of(System.getProperty("java.class.path").split(":", -1))
                .filter(element -> element.endsWith(".jar"))
                .filter(element -> !Path.of(element).getFileName().toString().startsWith("berth-"))
                .collect(Collectors.joining(":"));
    }

    /** Some entries of the jar as another version of Berth. */
    public static Path otherVersion(Path file, String version, Predicate<String> kept) throws IOException {
        try (ZipFile zip = new ZipFile(one().toFile());
                ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(file))) {
            Enumeration<? extends ZipEntry> entries = zip.entries();
            while (entries.hasMoreElements()) {
                ZipEntry entry = entries.nextElement();
                if (entry.isDirectory() || !kept.test(entry.getName())) {
                    continue;
                }
                out.putNextEntry(new ZipEntry(entry.getName()));
                try (InputStream in = zip.getInputStream(entry)) {
                    byte[] bytes = in.readAllBytes();
                    out.write(
                            entry.getName().matches("META-INF/(MANIFEST.MF|berth/version)")
                                    ? versioned(bytes, version)
                                    : bytes);
                }
            }
        }
        return file;
    }

    private static byte[] versioned(byte[] text, String version) {
        String own = new String(text, StandardCharsets.UTF_8);
        return own.replaceAll("\\d+\\.\\d+\\.\\d+(-SNAPSHOT)?", version).getBytes(StandardCharsets.UTF_8);
    }

    /** A job's jar: classes of the tests. */
    public static Path job(Path file, Class<?>... classes) throws IOException {
        try (OutputStream bytes = Files.newOutputStream(file);
                ZipOutputStream out = new ZipOutputStream(bytes)) {
            for (Class<?> type : classes) {
                String name = type.getName().replace('.', '/') + ".class";
                out.putNextEntry(new ZipEntry(name));
                try (InputStream in = Objects.requireNonNull(type.getResourceAsStream("/" + name))) {
                    in.transferTo(out);
                }
            }
        }
        return file;
    }
}
