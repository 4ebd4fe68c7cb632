package org.berth.cli.shared.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.berth.cli.shared.CommandException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class CommandLookupTest {
    @TempDir
    private Path folder;

    @Test
    void theFirstExecutableFileOfThePathIsTaken() throws IOException {
        Path first = Files.createDirectories(folder.resolve("first"));
        Path second = Files.createDirectories(folder.resolve("second"));
        file(first.resolve("tool"), "rw-r--r--");
        Path tool = file(second.resolve("tool"), "rwxr-xr-x");

        assertThat(CommandLookup.find("tool", first + ":" + second)).isEqualTo(tool);
        assertThat(CommandLookup.find(tool.toString(), "")).isEqualTo(tool);
    }

    @Test
    void exitCodesAreThoseOfEnv() throws IOException {
        Path data = file(folder.resolve("data"), "rw-r--r--");

        refused("no-such-command", folder.toString(), 127, "no such command in PATH");
        refused("./no-such-file", "", 127, "no such file");
        refused("data", folder.toString(), 126, "is not executable");
        refused(data.toString(), "", 126, "is not executable");
        refused(folder.toString(), "", 126, "is a directory");
    }

    @Test
    void aJavaLauncherIsKnownByTheLibrariesBesideIt() throws IOException {
        Path javaHome = Path.of(System.getProperty("java.home"));
        Path link = Files.createSymbolicLink(folder.resolve("java17"), javaHome.resolve("bin/java"));
        Path script = file(folder.resolve("java"), "rwxr-xr-x");

        assertThat(CommandLookup.isJavaLauncher(javaHome.resolve("bin/java"))).isTrue();
        assertThat(CommandLookup.isJavaLauncher(link)).isTrue();
        assertThat(CommandLookup.isJavaLauncher(script)).isFalse();
        assertThat(CommandLookup.isJavaLauncher(Path.of("/bin/sh"))).isFalse();
    }

    /** A launcher for musl as it would be on a host with both loaders: ours, with another name of a loader in it. */
    @Test
    void aLauncherForMuslDoesNotTakeTheAgent() throws IOException {
        Path home = folder.resolve("jdk");
        Files.createDirectories(home.resolve("lib"));
        Files.createFile(home.resolve("lib/libjli.so"));
        Path ours = Path.of(System.getProperty("java.home"), "bin/java");
        String text = Files.readString(ours, StandardCharsets.ISO_8859_1);
        Matcher loader = Pattern.compile("/lib\\w*/ld[-\\w]*\\.so\\.\\d\0").matcher(text);
        assertThat(loader.find()).isTrue();
        String musl = "/lib/ld-musl-x.so.1\0";
        String patched = text.substring(0, loader.start()) + musl + text.substring(loader.start() + musl.length());
        Path java = file(Files.createDirectories(home.resolve("bin")).resolve("java"), "rwxr-xr-x");
        Files.write(java, text.getBytes(StandardCharsets.ISO_8859_1));
        assertThat(CommandLookup.isJavaLauncher(java)).isTrue();
        CommandLookup.requireTakesAgent(java.toString());
        Files.write(java, patched.getBytes(StandardCharsets.ISO_8859_1));
        assertThat(CommandLookup.isJavaLauncher(java)).isFalse();
        assertThatThrownBy(() -> CommandLookup.requireTakesAgent(java.toString()))
                .hasMessage("cannot place single threads or the heap of " + java + ": it is for musl, and Berth's agent"
                        + " needs glibc; take a JVM for glibc, or leave these options out");
    }

    private static void refused(String name, String path, int exitCode, String reason) {
        assertThatThrownBy(() -> CommandLookup.find(name, path))
                .hasMessageContaining("cannot run '" + name + "'")
                .hasMessageContaining(reason)
                .isInstanceOfSatisfying(
                        CommandException.class, e -> assertThat(e.exitCode()).isEqualTo(exitCode));
    }

    private static Path file(Path path, String permissions) throws IOException {
        Files.createFile(path);
        return Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(permissions));
    }
}
