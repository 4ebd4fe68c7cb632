package org.berth.observation.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PrivateDirectoryTest {
    @TempDir
    private Path root;

    private String name() throws IOException {
        return "x-" + Integer.toUnsignedString((int) Files.getAttribute(root, "unix:uid"));
    }

    /** Whoever takes the name first must not lock the user out. */
    @Test
    void aNameThatIsTakenIsPassedOver() throws Exception {
        Path secret = Files.createDirectory(root.resolve("secret"));
        Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.createSymbolicLink(root.resolve(name()), secret);
        Files.createSymbolicLink(root.resolve(name() + "-1"), secret);
        Path made = PrivateDirectory.in(root, "x-");
        assertThat(made.getFileName().toString()).startsWith(name() + "-");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(made)))
                .isEqualTo("rwx------");
        assertThat(made).isDirectory().isNotEqualTo(root.resolve(name() + "-1"));
        assertThat(PrivateDirectory.in(root, "x-")).isEqualTo(made);
        assertThat(secret).isEmptyDirectory();
    }

    @Test
    void whereOthersCouldRenameItItIsNotMade() throws Exception {
        Files.setPosixFilePermissions(root, PosixFilePermissions.fromString("rwxrwxrwx"));
        assertThatExceptionOfType(IOException.class).isThrownBy(() -> PrivateDirectory.in(root, "x-"));
        assertThat(root).isEmptyDirectory();
    }
}
