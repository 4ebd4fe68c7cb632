package org.berth.observation;

import java.io.IOException;
import java.nio.file.Path;

/** Why a file of another process may not be read, and who may (ptrace(2), "Ptrace access mode checking"). */
final class Refusal {
    private Refusal() {}

    /** "FILE may not be read; …". For root, "run as root" would be no remedy. */
    static String of(Object file, Path process) {
        String remedy = isRoot(process.resolveSibling("self"))
                ? ", not by this root either: the process has capabilities that this one lacks, or a sandbox or security"
                        + " module forbids it; run outside of the container"
                : "; run as the user of the process or as root";
        return file + " may not be read" + remedy;
    }

    /** The second number is the effective user. */
    private static boolean isRoot(Path self) {
        try {
            String[] users =
                    StatusText.read(self).fields().getOrDefault("Uid", "").split("\\s+", -1);
            return users.length > 1 && users[1].equals("0");
        } catch (IOException unknown) {
            return false;
        }
    }
}
