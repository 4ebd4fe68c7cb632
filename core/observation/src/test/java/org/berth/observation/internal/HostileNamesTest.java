package org.berth.observation.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.berth.oracle.Child;
import org.berth.oracle.Machine;
import org.berth.oracle.Tool;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What another user can put in the way of files that root makes where all users write. The other user comes first. With
 * BERTH_TEST_GUARDS=yes, on a machine that no other program uses, with the kernel's protection and without.
 */
class HostileNamesTest {
    private static final List<String> GUARDS = List.of("symlinks", "regular", "fifos", "hardlinks");
    private static final List<String> OBSTACLES = List.of(
            "ln -s ../secret N",
            "ln -s ../new N",
            "ln -s .. N",
            "ln ../secret N 2>/dev/null || touch N",
            "mkfifo -m 666 N",
            "echo theirs >N",
            "mkdir -m 777 N");
    private static final String SECRET = "secret";

    @TempDir
    private Path folder;

    private Path everybodys;
    private Path secret;
    private int places;

    @BeforeEach
    void requireTwoUsers() throws IOException {
        everybodys = folder;
        secret = folder.resolve(SECRET);
        Machine.requireRoot();
        Tool.require("setpriv");
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    @Test
    void whatAnotherUserHasPlantedIsNeitherFollowedNorOpened() throws Exception {
        if (!"yes".equals(System.getenv("BERTH_TEST_GUARDS"))) {
            everyObstacle();
            return;
        }
        Map<Path, String> before = new LinkedHashMap<>();
        for (String name : GUARDS) {
            Path guard = Path.of("/proc/sys/fs/protected_" + name);
            before.put(guard, Files.readString(guard).strip());
        }
        try {
            for (String value : List.of("0", "1")) {
                for (Path guard : before.keySet()) {
                    Files.writeString(guard, value);
                }
                everyObstacle();
            }
        } finally {
            for (Map.Entry<Path, String> guard : before.entrySet()) {
                Files.writeString(guard.getKey(), guard.getValue());
            }
        }
    }

    private void everyObstacle() throws Exception {
        for (String obstacle : OBSTACLES) {
            boolean isDirectory = obstacle.startsWith("mkdir");
            plant(obstacle, "name");
            if (isDirectory) {
                assertThatThrownBy(() -> PublicFiles.replace(everybodys.resolve("name")))
                        .isInstanceOf(IOException.class);
            } else {
                try (OutputStream out = PublicFiles.replace(everybodys.resolve("name"))) {
                    out.write("ours".getBytes(StandardCharsets.US_ASCII));
                }
                assertThat(ours("name")).isRegularFile().hasContent("ours");
            }
            requireUntouched();

            plant(obstacle, "name");
            assertThat(PublicFiles.newDirectory(everybodys.resolve("name"))).isEqualTo(ours("name-2"));
            assertThatThrownBy(() -> PublicFiles.readOwn(everybodys.resolve("name")))
                    .as(obstacle)
                    .isInstanceOf(IOException.class);
            requireUntouched();

            plant(obstacle + "; " + obstacle.replace("N", "N-1"), "x-0");
            Path made = PrivateDirectory.in(everybodys, "x-");
            assertThat(made.getFileName().toString()).matches("x-0-[0-9a-f]{12}");
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(ours(made))))
                    .isEqualTo("rwx------");
            assertThat(PrivateDirectory.in(everybodys, "x-")).isEqualTo(made);
            assertThatThrownBy(() -> PrivateDirectory.readableIn(everybodys, "x-"))
                    .isInstanceOf(IOException.class);
            requireUntouched();
        }
    }

    /** The owner of a directory renames what is in it, whatever its mode is. */
    @Test
    void aDirectoryOfAnotherUserHoldsNothingOfOurs() throws Exception {
        plant("mkdir -m 755 N", "theirs");
        assertThatThrownBy(() -> PrivateDirectory.in(everybodys.resolve("theirs"), "x-"))
                .hasMessage("it belongs to user 65534, who could exchange what is in it");
        assertThat(everybodys.resolve("theirs")).isEmptyDirectory();
    }

    /** In a new directory of everybody, as this user never could. */
    private void plant(String script, String name) throws Exception {
        everybodys = Files.createDirectory(folder.resolve("everybody-" + places++));
        Files.setPosixFilePermissions(everybodys, PosixFilePermissions.fromString("rwxrwxrwx"));
        Tool.output("chmod", "1777", everybodys.toString());
        Files.deleteIfExists(secret);
        Files.writeString(secret, SECRET);
        Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-------"));
        Child.Result result = Child.run(
                "setpriv",
                "--reuid=65534",
                "--regid=65534",
                "--clear-groups",
                "sh",
                "-c",
                "cd " + everybodys + " && " + script.replace("N", name));
        assertThat(result.exitCode()).as(script + result.err()).isZero();
    }

    private Path ours(String name) throws IOException {
        return ours(everybodys.resolve(name));
    }

    private static Path ours(Path file) throws IOException {
        assertThat(Files.getAttribute(file, "unix:uid", LinkOption.NOFOLLOW_LINKS))
                .isEqualTo(0);
        return file;
    }

    private void requireUntouched() throws IOException {
        assertThat(secret).hasContent(SECRET);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(secret)))
                .isEqualTo("rw-------");
        assertThat(folder.resolve("new")).doesNotExist();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder)))
                .isEqualTo("rwxr-xr-x");
    }
}
