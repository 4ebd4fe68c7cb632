package org.berth.cli.compare.output;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Properties;
import org.berth.cli.shared.CommandException;
import org.berth.cli.shared.launch.CommandLookup;
import org.berth.report.ReportFact;

/** The JVM that a command starts, read from the file {@code release} next to the launcher. */
final class ReportJvm {
    private ReportJvm() {}

    /** Is empty for other programs, which may start JVMs of their own. */
    static Optional<ReportFact> of(String program) {
        Path launcher;
        try {
            launcher = CommandLookup.find(program, System.getenv().getOrDefault("PATH", ""));
        } catch (CommandException missing) {
            return Optional.empty();
        }
        if (!CommandLookup.isJavaLauncher(launcher)) {
            return Optional.empty();
        }
        try {
            Path real = launcher.toRealPath();
            Path release = real.resolveSibling("../release");
            Properties told = new Properties();
            try (Reader reader = Files.newBufferedReader(release)) {
                told.load(reader);
            }
            String version = value(told, "JAVA_RUNTIME_VERSION");
            String text = (value(told, "IMPLEMENTOR") + " "
                            + (version.isEmpty() ? value(told, "JAVA_VERSION") : version))
                    .strip();
            return Optional.of(new ReportFact("JVM of the baseline", text + ", " + real));
        } catch (IOException | IllegalArgumentException notTold) {
            return Optional.of(new ReportFact("JVM of the baseline", launcher + " (unknown version)"));
        }
    }

    private static String value(Properties told, String key) {
        return told.getProperty(key, "").replace("\"", "");
    }
}
