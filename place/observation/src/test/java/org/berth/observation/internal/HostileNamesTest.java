package org.berth.observation.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.berth.oracle.HostileUser;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What another user can put in the way of files that root makes where all users write. */
class HostileNamesTest {
    @TempDir
    private Path folder;

    private HostileUser other;

    @BeforeEach
    void requireTwoUsers() throws IOException {
        other = HostileUser.in(folder);
    }

    @Test
    void whatAnotherUserHasPlantedIsNeitherFollowedNorOpened() throws Exception {
        HostileUser.withAnyGuards(() -> {
            for (String obstacle : HostileUser.OBSTACLES) {
                isPassedOver(obstacle);
            }
        });
    }

    private void isPassedOver(String obstacle) throws IOException {
        Path name = other.plant(obstacle, "name").resolve("name");
        assertThat(PublicFiles.newDirectory(name)).isEqualTo(ours(name.resolveSibling("name-2")));
        assertThatThrownBy(() -> PublicFiles.readOwn(name)).as(obstacle).isInstanceOf(IOException.class);
        other.requireUntouched();

        Path everybodys = other.plant(obstacle + "; " + obstacle.replace("N", "N-1"), "x-0");
        Path made = PrivateDirectory.in(everybodys, "x-");
        assertThat(made.getFileName().toString()).matches("x-0-[0-9a-f]{12}");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(ours(made))))
                .isEqualTo("rwx------");
        assertThat(PrivateDirectory.in(everybodys, "x-")).isEqualTo(made);
        assertThatThrownBy(() -> PrivateDirectory.readableIn(everybodys, "x-")).isInstanceOf(IOException.class);
        other.requireUntouched();
    }

    /** The owner of a directory renames what is in it, whatever its mode is. */
    @Test
    void aDirectoryOfAnotherUserHoldsNothingOfOurs() throws Exception {
        Path theirs = other.plant("mkdir -m 755 N", "theirs").resolve("theirs");
        assertThatThrownBy(() -> PrivateDirectory.in(theirs, "x-"))
                .hasMessage("it belongs to user 65534, who could exchange what is in it");
        assertThat(theirs).isEmptyDirectory();
    }

    private static Path ours(Path file) throws IOException {
        assertThat(Files.getAttribute(file, "unix:uid", LinkOption.NOFOLLOW_LINKS))
                .isEqualTo(0);
        return file;
    }
}
