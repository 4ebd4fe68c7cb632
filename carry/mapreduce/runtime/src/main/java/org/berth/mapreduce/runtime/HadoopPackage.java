package org.berth.mapreduce.runtime;

import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.apache.hadoop.mapred.Task;
import org.jspecify.annotations.Nullable;

/**
 * Puts Berth's classes in Hadoop's package next to Hadoop's own. A jar that came with an application is loaded by another loader
 * than Hadoop, and package-private members are visible to classes of the same loader only. These classes refer to none of Berth's
 * other packages, which Hadoop's loader does not see.
 */
public final class HadoopPackage {
    /** The package of {@link Task}, as a folder. */
    private static final String FOLDER = "org/apache/hadoop/mapred/";

    private HadoopPackage() {}

    /**
     * Defines the classes that Hadoop's loader does not have; does nothing where one loader has both. To be called before the first
     * of them is used. Thread-safe.
     *
     * @throws IOException one line, when a class cannot be read or defined
     */
    public static synchronized void complete() throws IOException {
        @Nullable ClassLoader hadoop = Task.class.getClassLoader();
        if (hadoop == HadoopPackage.class.getClassLoader()) {
            return;
        }
        List<byte[]> missing = new ArrayList<>();
        for (String name : names(place())) {
            if (hadoop == null || hadoop.getResource(name) == null) {
                missing.add(read(name));
            }
        }
        try {
            define(MethodHandles.privateLookupIn(Task.class, MethodHandles.lookup()), missing);
        } catch (IllegalAccessException e) {
            throw new IOException("cannot define classes next to " + Task.class.getName() + ": " + e.getMessage(), e);
        }
    }

    /** A class whose parent is not there yet is tried once more after the others. */
    private static void define(MethodHandles.Lookup lookup, List<byte[]> classes)
            throws IOException, IllegalAccessException {
        List<byte[]> left = classes;
        while (!left.isEmpty()) {
            List<byte[]> failed = new ArrayList<>();
            @Nullable NoClassDefFoundError failure = null;
            for (byte[] bytes : left) {
                try {
                    lookup.defineClass(bytes);
                } catch (NoClassDefFoundError e) {
                    failure = e;
                    failed.add(bytes);
                } catch (LinkageError e) {
                    // Another application in this JVM was first.
                }
            }
            if (failure != null && failed.size() == left.size()) {
                throw new IOException("cannot define a class of " + FOLDER + ": " + failure, failure);
            }
            left = failed;
        }
    }

    /** The jar or folder that Berth's classes in Hadoop's package are in, as this class is. */
    private static Path place() throws IOException {
        try {
            return Path.of(HadoopPackage.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
        } catch (URISyntaxException | RuntimeException e) {
            throw new IOException("cannot find the jar of " + HadoopPackage.class.getName() + ": " + e, e);
        }
    }

    private static List<String> names(Path place) throws IOException {
        if (Files.isDirectory(place)) {
            try (Stream<Path> files = Files.list(place.resolve(FOLDER))) {
                return files.map(file -> FOLDER + file.getFileName())
                        .filter(HadoopPackage::isClass)
                        .toList();
            }
        }
        try (ZipFile jar = new ZipFile(place.toFile())) {
            return jar.stream()
                    .map(ZipEntry::getName)
                    .filter(HadoopPackage::isClass)
                    .toList();
        }
    }

    private static boolean isClass(String name) {
        return name.startsWith(FOLDER)
                && name.endsWith(".class")
                && name.indexOf('/', FOLDER.length()) < 0
                && !name.endsWith("package-info.class");
    }

    private static byte[] read(String name) throws IOException {
        try (InputStream in = HadoopPackage.class.getResourceAsStream("/" + name)) {
            if (in == null) {
                throw new IOException(name + " is missing next to " + HadoopPackage.class.getName());
            }
            return in.readAllBytes();
        }
    }
}
