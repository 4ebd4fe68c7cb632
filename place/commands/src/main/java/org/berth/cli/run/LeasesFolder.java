package org.berth.cli.run;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.berth.cli.shared.CommandException;
import org.berth.text.Words;

/** What the commands say about the folder with the leases. */
public final class LeasesFolder {
    /** The description of {@code --leases}. */
    public static final String DESCRIPTION =
            "Directory of the leases; default: the variable BERTH_LEASES, otherwise /run/berth/leases if root has made"
                    + " it, otherwise /dev/shm/berth-leases.";

    /** The ledger keeps 63 (LEASE_NAME_SIZE), and split adds an index. */
    private static final int LONGEST_NAME_BYTES = 58;

    private static final String VARIABLE = "BERTH_LEASES";

    private LeasesFolder() {}

    /** A usage error for a relative path in the variable, which each process would take from its own working directory. */
    public static void requireAbsolute() {
        variable().filter(folder -> !Path.of(folder).isAbsolute()).ifPresent(folder -> {
            throw CommandException.usage(VARIABLE + "=" + folder
                    + ": give an absolute path, because processes in other directories have other leases there");
        });
    }

    /** A usage error for a folder that is not there: to list the leases of a misspelt one must not make it. */
    static void requireExisting(Optional<Path> option) {
        requireAbsolute();
        String name = option.isPresent() ? "--leases " : VARIABLE + "=";
        option.map(Path::toString).or(LeasesFolder::variable).ifPresent(folder -> {
            if (Files.notExists(Path.of(folder))) {
                throw CommandException.usage(name + folder + ": no such directory; the first lease there makes it");
            }
        });
    }

    /** A usage error for a name of which the ledger would keep the first letters only. */
    public static void requireShort(Optional<String> name) {
        name.filter(text -> text.getBytes(StandardCharsets.UTF_8).length > LONGEST_NAME_BYTES)
                .ifPresent(text -> {
                    throw CommandException.usage("--name " + Words.quote(text) + ": a lease has a name of at most "
                            + LONGEST_NAME_BYTES + " bytes");
                });
    }

    private static Optional<String> variable() {
        return Optional.ofNullable(System.getenv(VARIABLE)).filter(folder -> !folder.isEmpty());
    }
}
