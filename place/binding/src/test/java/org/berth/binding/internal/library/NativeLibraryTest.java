package org.berth.binding.internal.library;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.File;
import java.io.IOException;
import java.lang.ref.Reference;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.berth.binding.Binder;
import org.berth.binding.JavaProcess;
import org.berth.binding.LocalMachine;
import org.berth.binding.TestMount;
import org.berth.binding.errors.BindingException;
import org.berth.binding.internal.Architecture;
import org.berth.observation.internal.PrivateDirectory;
import org.berth.oracle.Child;
import org.berth.oracle.ChildJvm;
import org.berth.oracle.ExecutableFolder;
import org.berth.oracle.Machine;
import org.berth.oracle.Tool;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NativeLibraryTest {
    @TempDir(factory = ExecutableFolder.class)
    private Path directory;

    /** Everything that the loader looks at leads into the test's own directory. */
    private JavaProcess java(Class<?> main, String... arguments) {
        return JavaProcess.of(main, arguments)
                .option("-Djava.io.tmpdir=" + directory.resolve("tmp"))
                .environment("XDG_DATA_HOME", directory.toString())
                .environment("XDG_CACHE_HOME", directory.resolve("cache").toString());
    }

    @Test
    void unpacksIntoAPrivateDirectoryAndUsesItAgain() throws IOException, InterruptedException {
        List<String> first = java(LoadAll.class).run().lines().toList();
        Path library = Path.of(first.get(0));
        assertThat(directoryOf(library).getParent()).isEqualTo(directory);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directoryOf(library))))
                .isEqualTo("rwx------");
        FileTime longAgo = FileTime.from(Instant.now().minus(Duration.ofDays(30)));
        Object inode = Files.getAttribute(library, "unix:ino");
        Files.setLastModifiedTime(library, longAgo);
        assertThat(java(LoadAll.class).run().lines().toList()).isEqualTo(first);
        assertThat(Files.getAttribute(library, "unix:ino")).isEqualTo(inode);
        assertThat(Files.getLastModifiedTime(library)).as("in use").isGreaterThan(longAgo);
    }

    @Test
    void replacesAFileWithOtherContentAndDeletesStaleOnes() throws IOException, InterruptedException {
        List<String> first = java(LoadAll.class).run().lines().toList();
        Path library = Path.of(first.get(0));
        byte[] content = Files.readAllBytes(library);
        Path old = library.resolveSibling("libberth-0.so");
        aged(old, 200);
        Path named = aged(library.resolveSibling("libberth-1.so"), 200);
        Path months = aged(library.resolveSibling("libberth-2.so"), 100);
        Path draft = aged(library.resolveSibling("libberth-0.so.123456789.new"), 8);
        Path copy = aged(library.resolveSibling("libhwloc-4711-123456789.so"), 8);
        Files.write(library, Arrays.copyOf(content, content.length - 1));
        try (Child service = Child.start(ChildJvm.withEnvironment(
                new ProcessBuilder("sleep", "900"), Map.of("SERVICE_OPTIONS", "-agentpath:" + named + "=cpus=0")))) {
            assertThat(java(LoadAll.class).run().lines().toList()).isEqualTo(first);
            assertThat(service.isAlive()).isTrue();
        }
        assertThat(library).hasBinaryContent(content);
        assertThat(List.of(old, draft, copy)).noneMatch(Files::exists);
        assertThat(List.of(named, months)).allMatch(Files::exists);
    }

    private static Path aged(Path file, int days) throws IOException {
        Files.writeString(file, "another version");
        return Files.setLastModifiedTime(file, FileTime.from(Instant.now().minus(Duration.ofDays(days))));
    }

    /** A service that is started again long after Berth bound it, when the folder of temporary files has been cleaned. */
    @Test
    void theAgentsFileIsNotATemporaryOne() throws IOException, InterruptedException {
        Path temporary = Files.createDirectory(directory.resolve("tmp"));
        assertThat(java(LoadAll.class).run().lines().limit(3)).noneMatch(file -> file.startsWith(temporary.toString()));
        assertThat(filesIn(temporary)).isEmpty();
        assertThat(java(LoadAll.class)
                        .environment("XDG_DATA_HOME", "/proc/no-such-home")
                        .run())
                .as("a user without a home")
                .startsWith(temporary.toString());
    }

    @Test
    void theLauncherIsExecutable() throws IOException, InterruptedException {
        Path launcher = Path.of(java(LoadAll.class).run().lines().toList().get(2));
        assertThat(launcher).isExecutable();
        String cpu = String.valueOf(Machine.requireCpus(2)[1]);
        String status =
                Tool.output(launcher.toString(), "--cpus", cpu, "--", "grep", "Cpus_allowed_list", "/proc/self/status");
        assertThat(status).endsWith("\t" + cpu);
    }

    @Test
    void survivesNoexecAndReadOnlyDirectories() throws IOException, InterruptedException {
        Path noexec = Files.createDirectory(directory.resolve("noexec"));
        try (TestMount mount = TestMount.of(noexec, "noexec")) {
            List<String> files = loadWithDataHome(mount.directory());
            assertThat(files.get(0)).startsWith(directory.resolve("cache").toString());
            mount.remount("ro");
            assertThat(loadWithDataHome(mount.directory())).isEqualTo(files);
        }
    }

    @Test
    void usesWhatIsThereWhenTheDirectoryBecameReadOnly() throws IOException, InterruptedException {
        Path shared = Files.createDirectory(directory.resolve("shared"));
        try (TestMount mount = TestMount.of(shared, "exec")) {
            Path link = Files.createSymbolicLink(directory.resolve("link"), mount.directory());
            List<String> before = loadWithDataHome(link);
            assertThat(before.get(0)).startsWith(link.toString());
            mount.remount("ro");
            assertThat(loadWithDataHome(link)).isEqualTo(before);
        }
    }

    private List<String> loadWithDataHome(Path home) throws IOException, InterruptedException {
        return java(LoadAll.class)
                .environment("XDG_DATA_HOME", home.toString())
                .option("-Djava.io.tmpdir=" + directory.resolve("cache"))
                .run()
                .lines()
                .toList();
    }

    @Test
    void passesOverADirectoryThatOthersCanWriteTo() throws IOException, InterruptedException {
        Path unpacked = Path.of(java(LoadAll.class).run().lines().toList().get(0));
        Path squatted = directoryOf(unpacked);
        Files.setPosixFilePermissions(squatted, PosixFilePermissions.fromString("rwxrwxrwx"));
        assertThat(java(LoadAll.class).run())
                .startsWith(directory.resolve("tmp").toString());
        Files.setPosixFilePermissions(squatted, PosixFilePermissions.fromString("rwx------"));
        Machine.requireRoot();
        Files.setAttribute(squatted, "unix:uid", 65534);
        // Two users' mkdir must not lock out a third one, so there is another name next to it.
        assertThat(java(LoadAll.class).run()).startsWith(squatted + "-");
    }

    /** What the command line of root shares with JVMs of other users is safe for root's own, and the other way round. */
    @Test
    void rootsCommandLineAndItsJvmsUseOneDirectory() throws IOException, InterruptedException {
        Machine.requireRoot();
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        List<String> own = java(LoadAll.class).run().lines().toList();
        JavaProcess commandLine = java(LoadAll.class).option("-Dorg.berth.native.shared=true");
        assertThat(commandLine.run().lines().toList()).isEqualTo(own);
        assertThat(Tool.output(
                        "stat",
                        "-c",
                        "%U %a",
                        Path.of(own.get(0)).toString(),
                        directoryOf(Path.of(own.get(0))).toString()))
                .as("the library and its directory")
                .isEqualTo("root 755\nroot 755");
        assertThat(java(LoadAll.class).run().lines().toList()).isEqualTo(own);
    }

    /** A root's home that is closed to others holds nothing for their JVMs. */
    @Test
    void rootsCommandLinePassesOverADirectoryThatIsClosedToOthers() throws IOException, InterruptedException {
        Machine.requireRoot();
        Path closed = Files.createDirectory(
                directory.resolve("closed"), PosixFilePermissions.asFileAttribute(PrivateDirectory.OWNER_ONLY));
        String library = java(LoadAll.class)
                .environment("XDG_DATA_HOME", closed.resolve("data").toString())
                .option("-Dorg.berth.native.shared=true")
                .run()
                .lines()
                .toList()
                .get(0);
        Tool.requireSuccess("setpriv", "--version");
        assertThat(Tool.output(
                        "setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "stat", "-c", "%U", library))
                .isEqualTo("root");
    }

    @Test
    void takesEverythingFromAnExplicitDirectoryThatIsReadOnly() throws IOException, InterruptedException {
        List<String> unpacked = java(LoadAll.class).run().lines().toList();
        Path explicit = Files.createDirectory(directory.resolve("explicit"));
        try (TestMount mount = TestMount.of(explicit, "exec")) {
            for (Path file : filesIn(directoryOf(Path.of(unpacked.get(0))))) {
                String name = file.getFileName().toString();
                Files.copy(file, explicit.resolve(name.replaceFirst("-[0-9a-f]+(?=\\.so|$)", "")));
            }
            mount.remount("ro");
            for (String path : List.of(explicit.toString(), explicit + "/libberth.so")) {
                String lines = java(LoadAll.class)
                        .environment("XDG_DATA_HOME", explicit.toString())
                        .option("-Dorg.berth.native.path=" + path)
                        .run();
                assertThat(lines.lines())
                        .containsExactly(
                                explicit + "/libberth.so",
                                explicit + "/libberth.so",
                                explicit + "/berth-exec",
                                "hwloc works");
            }
        }
    }

    /** What stands in unit files: any user's JVM can be started with it. */
    @Test
    void takesAnInstalledBerthsFilesWhereEveryUserMayReadThem() throws IOException, InterruptedException {
        Path unpacked =
                directoryOf(Path.of(java(LoadAll.class).run().lines().toList().get(0)));
        Path top = Files.createTempDirectory(Path.of("/var/tmp"), "berth-installed");
        try {
            Path installed = Files.createDirectories(
                    top.resolve(Architecture.current().orElseThrow().folder()));
            for (Path file : filesIn(unpacked)) {
                String name = file.getFileName().toString().replaceFirst("-[0-9a-f]+(?=\\.so|$)", "");
                Files.copy(file, installed.resolve(name));
                Files.setPosixFilePermissions(installed.resolve(name), PosixFilePermissions.fromString("rwxr-xr-x"));
            }
            Files.setPosixFilePermissions(installed, PosixFilePermissions.fromString("rwxr-xr-x"));
            assumeThat(installed.resolve("berth-exec")).isExecutable();
            String option = "-Dorg.berth.native.installed=" + top;
            assertThat(java(LoadAll.class).option(option).run())
                    .as("in a folder of this user alone")
                    .doesNotContain(top.toString());
            Files.setPosixFilePermissions(top, PosixFilePermissions.fromString("rwxr-xr-x"));
            assertThat(java(LoadAll.class).option(option).run().lines())
                    .containsExactly(
                            installed + "/libberth.so",
                            installed + "/libberth.so",
                            installed + "/berth-exec",
                            "hwloc works");
        } finally {
            try (Stream<Path> files = Files.walk(top)) {
                files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
            }
        }
    }

    @Test
    void saysThatTheExplicitPathIsWrong() throws IOException, InterruptedException {
        assertThat(java(Complain.class)
                        .option("-Dorg.berth.native.path=" + directory)
                        .run())
                .isEqualTo("cannot find " + directory + "/libberth.so: there is no such file;"
                        + " correct -Dorg.berth.native.path");
        Path text = Files.writeString(directory.resolve("libberth.so"), "not a library");
        assertThat(java(Complain.class)
                        .option("-Dorg.berth.native.path=" + text)
                        .run())
                .startsWith("cannot load " + text + ": (from -Dorg.berth.native.path) ")
                .endsWith("it must be a library for Linux " + System.getProperty("os.arch")
                        + " on a file system without noexec")
                .hasLineCount(1);
    }

    @Test
    void saysThatThereIsNoLibraryForThisMachine() throws IOException, InterruptedException {
        String withoutNative = Arrays.stream(
                        System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .filter(entry -> !entry.contains("place/native/") && !entry.contains("berth-native"))
                .collect(Collectors.joining(File.pathSeparator));
        assertThat(java(Complain.class).classPath(withoutNative).run())
                .startsWith("cannot find libberth.so: no META-INF/native/linux-")
                .contains("add berth-native for Linux")
                .hasLineCount(1);
        assertThat(java(Complain.class).option("-Dos.arch=s390x").run())
                .startsWith("cannot find libberth.so: Berth has no native code for Linux s390x");
        Map<String, String> folders =
                Map.of("amd64", "x86_64", "aarch64", "aarch64", "ppc64le", "ppc64le", "riscv64", "riscv64");
        for (Map.Entry<String, String> folder : folders.entrySet()) {
            assertThat(java(Complain.class)
                            .classPath(withoutNative)
                            .option("-Dos.arch=" + folder.getKey())
                            .run())
                    .startsWith("cannot find libberth.so: no META-INF/native/linux-" + folder.getValue()
                            + "/libberth.so on the class path; add berth-native for Linux " + folder.getKey());
        }
    }

    /** Debian has no JVM on musl; this one has a file mapped as a JVM on Alpine has its C library. */
    @Test
    void refusesMuslButForTheLauncher() throws IOException, InterruptedException {
        Path musl = Files.writeString(directory.resolve("ld-musl-x86_64.so.1"), "mapped");
        List<String> lines = java(OnMusl.class, musl.toString()).run().lines().toList();
        String reason = ": this JVM runs on musl, and the library needs glibc; use a JVM and an image with"
                + " glibc, such as Debian's; berth-exec, which needs no C library, binds processes here";
        assertThat(lines)
                .startsWith(
                        "cannot use libberth.so" + reason,
                        "cannot use libberth.so" + reason,
                        "cannot use libberth.so" + reason)
                .hasSize(4);
        assertThat(Path.of(lines.get(3))).isExecutable();
    }

    @Test
    void namesEveryDirectoryThatWasTried() throws IOException, InterruptedException {
        Tool.requireSuccess("unshare", "-m", "true");
        Path file = Files.createFile(directory.resolve("a"));
        Path other = Files.createFile(directory.resolve("b"));
        String message = java(Complain.class)
                .under("unshare", "-m", "sh", "-c", "mount -t tmpfs -o noexec tmpfs /dev/shm && exec \"$@\"", "hide")
                .option("-Djava.io.tmpdir=" + file)
                .option("-Duser.dir=" + file)
                .environment("XDG_DATA_HOME", file.toString())
                .environment("XDG_CACHE_HOME", other.toString())
                .run();
        assertThat(message)
                .startsWith("cannot use libberth.so: no directory can hold it: " + file + ": FileAlreadyExists, "
                        + other + ": FileAlreadyExists, /dev/shm: files there cannot be executed (mounted noexec?); ")
                .contains("-Dorg.berth.native.path=FILE")
                .hasLineCount(1);
    }

    @Test
    void eachClassLoaderLoadsItForItself() throws IOException, InterruptedException {
        assertThat(java(TwoClassLoaders.class).run().lines())
                .containsExactly("loaded", "hwloc works", "loaded", "hwloc works", "different classes");
        assertThat(filesIn(directory.resolve("berth-" + Machine.uid())))
                .as("no private copy is left")
                .hasSize(2);
    }

    @Test
    void eachClassLoaderPassesOverNoexecDirectories() throws IOException, InterruptedException {
        Path noexec = Files.createDirectory(directory.resolve("noexec"));
        try (TestMount mount = TestMount.of(noexec, "noexec")) {
            assertThat(java(TwoClassLoaders.class)
                            .environment("XDG_DATA_HOME", mount.directory().toString())
                            .run()
                            .lines())
                    .containsExactly("loaded", "hwloc works", "loaded", "hwloc works", "different classes");
        }
    }

    @Test
    void usesTheFileThatRunsAsTheAgent() throws IOException, InterruptedException {
        Path agent = Files.copy(NativeLibrary.file(), directory.resolve("libberth-agent.so"));
        List<String> files = java(LoadAll.class)
                .option("-agentpath:" + agent + "=cpus=" + Machine.cpuList())
                .run()
                .lines()
                .toList();
        assertThat(files.get(0)).isEqualTo(agent.toString());
        assertThat(files.get(1)).isEqualTo(agent.toString());
    }

    /** The shell makes the folder, whose name this JVM may have no letters for. */
    @Test
    void findsTheAgentInAFolderWithLettersBeyondAscii() throws IOException, InterruptedException {
        String script = "folder=$FOLDER/$(printf 'b\\303\\244r'); mkdir \"$folder\""
                + " && cp \"$LIBRARY\" \"$folder/libberth-agent.so\""
                + " && JAVA_TOOL_OPTIONS=\"-agentpath:$folder/libberth-agent.so=cpus=$CPUS\" exec \"$@\"";
        List<String> files = java(LoadAll.class)
                .under("sh", "-c", script, "agent")
                .environment("FOLDER", directory.toString())
                .environment("LIBRARY", NativeLibrary.file().toString())
                .environment("CPUS", Machine.cpuList())
                .environment("LC_ALL", "C.UTF-8")
                .run()
                .lines()
                .toList();
        assertThat(files.get(0)).endsWith("r/libberth-agent.so");
        assertThat(files.get(1)).isEqualTo(files.get(0));
    }

    private static Path directoryOf(Path file) {
        return Objects.requireNonNull(file.getParent());
    }

    private static List<Path> filesIn(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.toList();
        }
    }

    /** Uses everything native and prints where it came from. */
    static final class LoadAll {
        private LoadAll() {}

        public static void main(String[] args) {
            Binder binder = LocalMachine.open().binder();
            binder.setThreadCpusUnverified(binder.threadCpus());
            System.out.println(NativeLibrary.load());
            System.out.println(NativeLibrary.file());
            System.out.println(NativeLibrary.launcher());
            System.out.println("hwloc works");
        }
    }

    /** Prints why the library cannot be loaded. */
    static final class Complain {
        private Complain() {}

        public static void main(String[] args) {
            try {
                System.out.println(NativeLibrary.load());
            } catch (BindingException e) {
                System.out.println(e.getMessage());
            }
        }
    }

    /** Maps a file, and prints what becomes of everything native. */
    static final class OnMusl {
        private OnMusl() {}

        public static void main(String[] args) throws IOException {
            try (FileChannel file = FileChannel.open(Path.of(args[0]))) {
                MappedByteBuffer mapped = file.map(FileChannel.MapMode.READ_ONLY, 0, file.size());
                try {
                    print(NativeLibrary::load);
                    print(NativeLibrary::file);
                    print(LocalMachine::open);
                    print(NativeLibrary::launcher);
                } finally {
                    Reference.reachabilityFence(mapped);
                }
            }
        }

        private static void print(Supplier<Object> use) {
            try {
                System.out.println(use.get());
            } catch (BindingException e) {
                System.out.println(e.getMessage());
            }
        }
    }

    /** Loads all classes twice, as two applications in one JVM do. */
    static final class TwoClassLoaders {
        private TwoClassLoaders() {}

        public static void main(String[] args) throws Exception {
            List<URL> classPath = new ArrayList<>();
            for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
                classPath.add(Path.of(entry).toUri().toURL());
            }
            List<Class<?>> loaded = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                // Kept open: closing would only forbid the loading of further classes.
                ClassLoader loader =
                        new URLClassLoader(classPath.toArray(new URL[0]), ClassLoader.getPlatformClassLoader());
                Class<?> library = loader.loadClass("org.berth.binding.internal.library.NativeLibrary");
                library.getMethod("load").invoke(null);
                System.out.println("loaded");
                loader.loadClass("org.berth.binding.LocalMachine")
                        .getMethod("open")
                        .invoke(null);
                System.out.println("hwloc works");
                loaded.add(library);
            }
            System.out.println(loaded.get(0) == loaded.get(1) ? "same class" : "different classes");
        }
    }
}
