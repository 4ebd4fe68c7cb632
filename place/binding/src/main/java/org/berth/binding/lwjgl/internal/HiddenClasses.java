package org.berth.binding.lwjgl.internal;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.InvocationTargetException;
import java.nio.file.NoSuchFileException;
import org.jspecify.annotations.Nullable;

/**
 * Makes the objects whose classes use LWJGL. On an ordinary class path these are classes like all others. In the jars for engines,
 * which are one file each, they and LWJGL are entries that no other class loader takes for classes, because the native library of
 * LWJGL has functions that are named after its package, so that it cannot be relocated, and a job may bring another version. See
 * docs/decisions/0021-one-jar.md. Thread-safe.
 */
public final class HiddenClasses {
    private static final @Nullable HiddenLoader LOADER = HiddenLoader.find();

    private HiddenClasses() {}

    /** Whether this copy of Berth is one jar that hides LWJGL. */
    public static boolean areHidden() {
        return LOADER != null;
    }

    /**
     * A new object of a class that uses LWJGL.
     *
     * @param type an interface that it implements
     * @param className its public constructor has no parameters
     * @throws LinkageError when the class or LWJGL is not there
     */
    public static <T> T create(Class<T> type, String className) {
        ClassLoader loader = LOADER == null ? HiddenClasses.class.getClassLoader() : LOADER;
        try {
            return type.cast(
                    Class.forName(className, true, loader).getConstructor().newInstance());
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw new LinkageError(className + ": " + e.getCause(), e);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(className + ": " + e, e);
        }
    }

    /**
     * A resource of LWJGL's jars.
     *
     * @throws NoSuchFileException when it is not there
     */
    public static byte[] read(String resource) throws IOException {
        ClassLoader loader = HiddenClasses.class.getClassLoader();
        try (InputStream in = LOADER == null ? loader.getResourceAsStream(resource) : LOADER.open(resource)) {
            if (in == null) {
                throw new NoSuchFileException("no " + resource + " on the class path");
            }
            return in.readAllBytes();
        }
    }
}
