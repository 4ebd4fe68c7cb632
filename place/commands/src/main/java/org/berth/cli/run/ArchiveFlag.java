package org.berth.cli.run;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.berth.cli.shared.CommandException;
import org.berth.observation.internal.jvm.JvmOptions;

/**
 * An option with which a JVM writes an archive of its classes. HotSpot then refuses native agents ("CDS dumping does not support
 * native JVMTI agent"), so berth-exec alone binds such a JVM.
 *
 * @param word the option as it is written
 * @param refusesAgents whether the JVM does not start with an agent; with the caches of JEP 483 it does in JDK 25
 */
record ArchiveFlag(String word, boolean refusesAgents) {
    private static final List<String> VARIABLES = List.of("JDK_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS");

    private static final Pattern ARCHIVE = Pattern.compile(
            "-Xshare:dump|-XX:ArchiveClassesAtExit=.*|-XX:\\+(AutoCreateSharedArchive|RecordDynamicDumpInfo|DynamicDumpSharedSpaces)");

    private static final Pattern CACHE = Pattern.compile("-XX:AOTMode=(record|create)|-XX:AOTCacheOutput=.*");

    /** In front of the main class, in files of arguments there, and in the variables that JVMs read. */
    static Optional<ArchiveFlag> find(List<String> command, Map<String, String> environment) {
        List<String> words = new ArrayList<>();
        for (String variable : VARIABLES) {
            words.addAll(split(environment.getOrDefault(variable, "")));
        }
        for (String word : JvmOptions.of(command)) {
            words.addAll(word.startsWith("@") ? split(content(word.substring(1))) : List.of(word));
        }
        return words.stream()
                .filter(word ->
                        ARCHIVE.matcher(word).matches() || CACHE.matcher(word).matches())
                .map(word -> new ArchiveFlag(word, ARCHIVE.matcher(word).matches()))
                .findFirst();
    }

    /**
     * Whether the agent binds a JVM with this option.
     *
     * @param needed whether only the agent can do what is asked for
     */
    boolean leaves(boolean needed) {
        if (needed && refusesAgents) {
            throw CommandException.usage(
                    "a JVM that writes a class archive (" + word + ") refuses the agent, which thread rules and"
                            + " --heap-memory need: leave them out of this run, or write no archive");
        }
        return needed;
    }

    private static List<String> split(String text) {
        return List.of(text.strip().split("[\\s'\"]+", -1));
    }

    /** A file that can be read again: a pipe, such as that of {@code @<(...)}, is for the JVM. */
    private static String content(String name) {
        Path file = Path.of(name);
        try {
            return Files.isRegularFile(file) ? Files.readString(file, StandardCharsets.ISO_8859_1) : "";
        } catch (IOException unreadable) {
            return "";
        }
    }
}
