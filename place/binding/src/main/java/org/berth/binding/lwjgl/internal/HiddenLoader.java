package org.berth.binding.lwjgl.internal;

import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.security.ProtectionDomain;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import org.jspecify.annotations.Nullable;

/** Loads the hidden entries of the jar in which this class is, before what its parent has under the same names. */
final class HiddenLoader extends ClassLoader {
    private static final String FOLDER = "META-INF/berth/hidden/";
    private static final String SUFFIX = ".classdata";

    /** Not by the class, which is not there where it is hidden. */
    private static final String MARK = "org/berth/binding/lwjgl/internal/LwjglHwloc";

    /** The first release with jars for several of them (JEP 238). */
    private static final int FIRST_VERSION = 9;

    static {
        registerAsParallelCapable();
    }

    private final @Nullable JarFile jar;

    private HiddenLoader(@Nullable JarFile jar) {
        super("berth-hidden", HiddenLoader.class.getClassLoader());
        this.jar = jar;
    }

    /** The loader, or null where LWJGL is on the class path like all else. */
    static @Nullable HiddenLoader find() {
        HiddenLoader loader = new HiddenLoader(ownJar());
        try (InputStream in = loader.open(MARK + SUFFIX)) {
            return in == null ? null : loader;
        } catch (IOException e) {
            return null;
        }
    }

    /** Not by the name of a resource, which an older copy of Berth in the same class path has, too. It stays open, as its classes do. */
    private static @Nullable JarFile ownJar() {
        CodeSource source = HiddenLoader.class.getProtectionDomain().getCodeSource();
        try {
            Path file = source == null ? null : Path.of(source.getLocation().toURI());
            return file == null || !Files.isRegularFile(file) ? null : new JarFile(file.toFile(), false);
        } catch (IOException | URISyntaxException | RuntimeException e) {
            // A loader of another kind, which gives resources all the same.
            return null;
        }
    }

    /** An entry of the hidden folder, or null. */
    @Nullable
    InputStream open(String name) throws IOException {
        if (jar == null) {
            return HiddenLoader.class.getClassLoader().getResourceAsStream(FOLDER + name);
        }
        JarEntry entry = jar.getJarEntry(FOLDER + name);
        return entry == null ? null : jar.getInputStream(entry);
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        synchronized (getClassLoadingLock(name)) {
            Class<?> known = findLoadedClass(name);
            if (known != null) {
                return known;
            }
            byte[] bytes = read(name.replace('.', '/') + SUFFIX);
            return bytes == null ? super.loadClass(name, resolve) : define(name, bytes);
        }
    }

    private Class<?> define(String name, byte[] bytes) {
        ProtectionDomain domain = HiddenLoader.class.getProtectionDomain();
        return defineClass(name, bytes, 0, bytes.length, domain);
    }

    private byte @Nullable [] read(String name) throws ClassNotFoundException {
        if (name.startsWith("java/")) {
            return null;
        }
        try {
            for (int version = Runtime.version().feature(); version >= FIRST_VERSION; version--) {
                byte[] bytes = readExactly("versions/" + version + "/" + name);
                if (bytes != null) {
                    return bytes;
                }
            }
            return readExactly(name);
        } catch (IOException e) {
            throw new ClassNotFoundException(name, e);
        }
    }

    private byte @Nullable [] readExactly(String name) throws IOException {
        try (InputStream in = open(name)) {
            return in == null ? null : in.readAllBytes();
        }
    }
}
