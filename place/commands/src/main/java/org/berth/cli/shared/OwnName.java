package org.berth.cli.shared;

import java.nio.file.Path;
import java.util.Arrays;
import org.berth.observation.internal.process.CallerEnvironment;
import org.berth.text.ShellWord;

/** The word that starts this command, for lines that a user copies. */
public final class OwnName {
    private static final String NAME = "berth";

    private OwnName() {}

    /** "berth", or in a checkout that is not in PATH "./berth", as the user typed it. */
    public static String word() {
        // By the script that started this JVM (start.sh): a command that the shell found in PATH has an absolute path.
        return word(
                System.getProperty("org.berth.typed", NAME),
                CallerEnvironment.variables().getOrDefault("PATH", ""));
    }

    static String word(String typed, String path) {
        if (!typed.contains("/")) {
            return NAME;
        }
        Path folder = Path.of(typed).toAbsolutePath().normalize().getParent();
        boolean found = Arrays.stream(path.split(":", -1))
                .map(entry -> Path.of(entry).toAbsolutePath().normalize())
                .anyMatch(entry -> entry.equals(folder));
        return found ? NAME : ShellWord.quote(typed);
    }
}
