package org.berth.cli.shared;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The owner of a file. Java asks the user database for the name of a user only by a file.
 *
 * @param user the number
 * @param name the name, or the number of a user without one, as of a container
 */
public record FileOwner(long user, String name) {
    /** Is empty when there is no such file. A link is not followed. */
    public static Optional<FileOwner> of(Path file) {
        try {
            long user =
                    Integer.toUnsignedLong((Integer) Files.getAttribute(file, "unix:uid", LinkOption.NOFOLLOW_LINKS));
            return Optional.of(new FileOwner(
                    user, Files.getOwner(file, LinkOption.NOFOLLOW_LINKS).getName()));
        } catch (IOException ended) {
            return Optional.empty();
        }
    }
}
