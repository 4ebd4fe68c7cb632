package org.berth.binding.internal.library;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import org.berth.binding.errors.BindingException;
import org.berth.binding.internal.Architecture;
import org.berth.binding.internal.MappedLibraries;
import org.berth.binding.internal.NativeBridge;
import org.berth.topology.FailureKind;
import org.jspecify.annotations.Nullable;

/**
 * Finds and loads libberth.so, which holds both the native functions and the JVM agent.
 *
 * <p>It tries, in this order: the path in the property {@code org.berth.native.path} (the file, or the directory that
 * holds it; for read-only file systems; {@code berth-exec} and {@code libhwloc.so} may lie in the same directory), the file that this JVM runs as its agent, the file of an installed Berth (property {@code
 * org.berth.native.installed}) if every user may read it, and the copy in the jar, written to a private directory under
 * the temporary directory, the user's cache, /dev/shm or the working directory, whichever allows execution.
 * Thread-safe; each class loader that holds Berth loads the library for itself.
 *
 * @since 0.1.0
 */
public final class NativeLibrary {
    /** Names the property with the library's path. */
    public static final String PATH_PROPERTY = "org.berth.native.path";

    /** The message for musl, where our library is refused before the loader reports a symbol that is missing. */
    public static final String MUSL_REASON = "this JVM runs on musl, and the library needs glibc";

    public static final String MUSL_HINT =
            "use a JVM and an image with glibc, such as Debian's; berth-exec, which needs no C library, binds processes here";

    private static final String LIBRARY = "libberth.so";
    private static final String LAUNCHER = "berth-exec";
    private static final String HWLOC = "libhwloc";

    /** hwloc 2 of the system, by the name with which programs are linked against it. */
    private static final String SYSTEM_HWLOC = "libhwloc.so.15";

    private static @Nullable Path loaded;

    private NativeLibrary() {}

    /**
     * Loads the library into the class loader of this class, once.
     *
     * @return the file that it was loaded from
     * @throws BindingException with all that was tried when it cannot be loaded
     */
    public static synchronized Path load() {
        Path present = loaded;
        if (present == null) {
            present = loadFirst();
            requireVersion(present);
            loaded = present;
        }
        return present;
    }

    /**
     * The library as a file for {@code -agentpath:}; the same path for every JVM of this user as long as the version
     * stays the same. Loads nothing.
     *
     * @throws BindingException when there is none for this machine, or for its C library, or no directory for it
     */
    public static Path file() {
        Optional<Path> explicit = explicit();
        if (explicit.isPresent()) {
            return explicit.get();
        }
        return MappedLibraries.find("libberth")
                .or(() -> InstalledFiles.find(LIBRARY))
                .orElseGet(() -> NativeFiles.place(library(), file -> {}));
    }

    /**
     * The directory that holds the native files and that only this user can write to (mode 0700; root's 0755), where
     * possible out of the reach of cleaners: for files that the agent of a JVM reads later.
     *
     * @throws BindingException with all that was tried when there is none
     */
    public static Path userDirectory() {
        return NativeFiles.directory();
    }

    /**
     * Whether cleaners of temporary files reach a file, as they do where a user has no home that can be written to. A
     * JVM that is started later with its path in {@code -agentpath} would fail.
     */
    public static boolean isTemporary(Path file) {
        return Stream.of(System.getProperty("java.io.tmpdir"), "/tmp", "/var/tmp", "/dev/shm")
                .anyMatch(file::startsWith);
    }

    /** Whether a JVM of any other user could load a file: it and its directories are open to them. */
    public static boolean isReadableByAll(Path file) {
        return InstalledFiles.isReadableByAll(file);
    }

    /**
     * The small executable that binds a command other than a JVM and starts it.
     *
     * @throws BindingException when there is none for this machine or no directory for it
     */
    public static Path launcher() {
        return beside(LAUNCHER)
                .or(() -> InstalledFiles.find(LAUNCHER))
                .orElseGet(() -> NativeFiles.place(content(LAUNCHER, ""), file -> {}));
    }

    /**
     * The library of hwloc: a file, or, where Berth has none for this machine, the name of the system's.
     *
     * @throws BindingException when there is no directory for it
     */
    public static String hwloc() {
        Optional<Path> present = beside(HWLOC + ".so");
        present = present.isPresent() ? present : InstalledFiles.find(HWLOC + ".so");
        if (present.isPresent()) {
            return present.get().toString();
        }
        Optional<Architecture> architecture = Architecture.current();
        ClassLoader loader = NativeLibrary.class.getClassLoader();
        boolean bundled = architecture.isPresent()
                && loader.getResource(architecture.get().berthResource(HWLOC + ".so")) != null;
        return bundled ? NativeFiles.place(content(HWLOC, ".so"), file -> {}).toString() : SYSTEM_HWLOC;
    }

    /** A file that the user put into the directory of the explicit path, such as hwloc's library. */
    public static Optional<Path> beside(String fileName) {
        String property = System.getProperty(PATH_PROPERTY);
        if (property == null) {
            return Optional.empty();
        }
        Path path = Path.of(property).toAbsolutePath();
        Path file = Files.isDirectory(path) ? path.resolve(fileName) : path.resolveSibling(fileName);
        return Files.isRegularFile(file) ? Optional.of(file) : Optional.empty();
    }

    private static Path loadFirst() {
        Optional<Path> explicit = explicit();
        if (explicit.isPresent()) {
            return loadFrom(explicit.get(), "-D" + PATH_PROPERTY);
        }
        // The agent's own file: the same image then serves both, so that thread rules can be added from Java.
        Optional<Path> agent = MappedLibraries.find("libberth");
        if (agent.isPresent()) {
            return loadFrom(agent.get(), "the agent of this JVM");
        }
        Optional<Path> installed = InstalledFiles.find(LIBRARY);
        if (installed.isPresent()) {
            return loadFrom(installed.get(), "the installed Berth");
        }
        return NativeFiles.place(library(), NativeLibrary::loadOrCopy);
    }

    private static Path loadFrom(Path file, String origin) {
        try {
            loadOrCopy(file);
            return file;
        } catch (IOException | UnsatisfiedLinkError e) {
            throw BindingException.of(
                    FailureKind.UNAVAILABLE,
                    "load",
                    file.toString(),
                    "(from " + origin + ") " + e.getMessage(),
                    loaderHint(),
                    e);
        }
    }

    private static void loadOrCopy(Path file) throws IOException {
        try {
            System.load(file.toString());
        } catch (IllegalCallerException e) {
            throw NativeAccess.refused(file.toString(), e);
        } catch (UnsatisfiedLinkError e) {
            if (!String.valueOf(e.getMessage()).contains("already loaded in another classloader")) {
                throw e;
            }
            // A JVM loads a file into one class loader only; an unlinked copy stays mapped as long as it is needed.
            NativeFiles.useOnce(
                    new NativeFiles.Content("libberth", ".so", Files.readAllBytes(file)),
                    copy -> System.load(copy.toString()));
        }
    }

    private static void requireVersion(Path file) {
        int version = NativeBridge.version();
        if (version != NativeBridge.VERSION) {
            throw BindingException.of(
                    FailureKind.UNAVAILABLE,
                    "use",
                    file.toString(),
                    "",
                    "its interface has version " + version + ", not " + NativeBridge.VERSION,
                    "give the library of this Berth version");
        }
    }

    private static Optional<Path> explicit() {
        String property = System.getProperty(PATH_PROPERTY);
        if (property == null) {
            return Optional.empty();
        }
        Path path = Path.of(property).toAbsolutePath();
        Path file = Files.isDirectory(path) ? path.resolve(LIBRARY) : path;
        if (!Files.isRegularFile(file)) {
            throw BindingException.of(
                    FailureKind.UNAVAILABLE,
                    "find",
                    file.toString(),
                    "",
                    "there is no such file",
                    "correct -D" + PATH_PROPERTY);
        }
        return Optional.of(file);
    }

    /** A JVM on musl that were given it as its agent would not start. */
    private static NativeFiles.Content library() {
        if (MappedLibraries.haveMusl()) {
            throw BindingException.of(FailureKind.UNAVAILABLE, "use", LIBRARY, "", MUSL_REASON, MUSL_HINT);
        }
        return content("libberth", ".so");
    }

    private static NativeFiles.Content content(String stem, String suffix) {
        Architecture architecture = Architecture.current()
                .orElseThrow(() -> BindingException.of(
                        FailureKind.UNAVAILABLE,
                        "find",
                        stem + suffix,
                        "",
                        "Berth has no native code for " + Architecture.describeCurrent(),
                        Architecture.SUPPORTED));
        String resource = architecture.berthResource(stem + suffix);
        try {
            ClassLoader loader = NativeLibrary.class.getClassLoader();
            return new NativeFiles.Content(stem, suffix, NativeFiles.readResource(loader, resource));
        } catch (IOException e) {
            throw BindingException.of(
                    FailureKind.UNAVAILABLE,
                    "find",
                    stem + suffix,
                    String.valueOf(e.getMessage()),
                    NativeAccess.add("berth-native for " + Architecture.describeCurrent())
                            + " (built with -Dberth.native=all), or build place/native and set -D" + PATH_PROPERTY
                            + "=FILE",
                    e);
        }
    }

    private static String loaderHint() {
        return MappedLibraries.haveMusl()
                ? MUSL_REASON
                : "it must be a library for " + Architecture.describeCurrent() + " on a file system without noexec";
    }
}
