package org.berth.oracle;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Another user, who comes first: what he puts into a public directory, under names that he can foresee, in the way of
 * files that root makes there. Links of his lead to a secret of root's, and to a file that is not there.
 */
public final class HostileUser {
    /** Commands that plant something under the name N. */
    public static final List<String> OBSTACLES = List.of(
            "ln -s ../secret N",
            "ln -s ../new N",
            "ln -s .. N",
            "ln ../secret N 2>/dev/null || touch N",
            "mkfifo -m 666 N",
            "echo theirs >N",
            "mkdir -m 777 N");

    private static final List<String> GUARDS = List.of("symlinks", "regular", "fifos", "hardlinks");
    private static final String SECRET = "secret";
    private static final String OPEN = "rwxr-xr-x";
    private static final String CLOSED = "rw-------";

    private final Path folder;
    private int places;

    private HostileUser(Path folder) {
        this.folder = folder;
    }

    /** Skips the test where this process may not act as two users. The folder is opened to him. */
    public static HostileUser in(Path folder) throws IOException {
        Machine.requireRoot();
        Tool.require("setpriv");
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString(OPEN));
        return new HostileUser(folder);
    }

    /** Work that may fail. */
    public interface Work {
        void run() throws Exception;
    }

    /**
     * Does a work, or, with BERTH_TEST_GUARDS=yes, on a machine that no other program uses, does it without the
     * protection of the kernel (fs.protected_…) and with it.
     */
    public static void withAnyGuards(Work work) throws Exception {
        if (!"yes".equals(System.getenv("BERTH_TEST_GUARDS"))) {
            work.run();
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
                work.run();
            }
        } finally {
            for (Map.Entry<Path, String> guard : before.entrySet()) {
                Files.writeString(guard.getKey(), guard.getValue());
            }
        }
    }

    /**
     * Makes a new directory where all users write, and lets him run a script in it.
     *
     * @param name takes the place of each N
     * @return the directory
     */
    public Path plant(String script, String name) throws IOException {
        Path everybodys = Files.createDirectory(folder.resolve("everybody-" + places++));
        Tool.output("chmod", "1777", everybodys.toString());
        Path secret = folder.resolve(SECRET);
        Files.deleteIfExists(secret);
        Files.writeString(secret, SECRET);
        Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString(CLOSED));
        Tool.output(
                "setpriv",
                "--reuid=65534",
                "--regid=65534",
                "--clear-groups",
                "sh",
                "-c",
                "cd " + everybodys + " && " + script.replace("N", name));
        return everybodys;
    }

    /** Fails when something that he planted has been followed. */
    public void requireUntouched() throws IOException {
        Path secret = folder.resolve(SECRET);
        require(Files.readString(secret).equals(SECRET), "the secret was written to");
        require(mode(secret).equals(CLOSED), "the secret was opened: " + mode(secret));
        require(mode(folder).equals(OPEN), "the folder has another mode: " + mode(folder));
        require(!Files.exists(folder.resolve("new")), "a link to nothing was followed");
    }

    private static String mode(Path file) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new AssertionError(otherwise);
        }
    }
}
