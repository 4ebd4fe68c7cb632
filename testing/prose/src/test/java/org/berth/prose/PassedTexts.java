package org.berth.prose;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.languagetool.JLanguageTool;

/** Texts in which an earlier run of the same rules found nothing: their grammar takes a minute and is still the same. */
final class PassedTexts {
    private final Path file;
    private final String rules;
    private final Set<String> former;
    private final Set<String> now = ConcurrentHashMap.newKeySet();

    /** Reads what the last run of this name left below target, if it left anything. */
    PassedTexts(String name) {
        file = Path.of("target", "passed-" + name);
        // The path of its jar has its version.
        rules = JLanguageTool.class.getProtectionDomain().getCodeSource().getLocation()
                + "\n"
                + String.join("\n", Linter.lines("rules-off.txt"));
        try {
            former = Files.exists(file) ? Set.copyOf(Files.readAllLines(file)) : Set.of();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    boolean has(String text) {
        String key = key(text);
        boolean passed = former.contains(key);
        if (passed) {
            now.add(key);
        }
        return passed;
    }

    void add(String text) {
        now.add(key(text));
    }

    /** Keeps those that this run has met. */
    void write() {
        try {
            Files.createDirectories(Path.of("target"));
            Files.write(file, new TreeSet<>(now));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String key(String text) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(rules.getBytes(UTF_8));
            return HexFormat.of().formatHex(Arrays.copyOf(digest.digest(text.getBytes(UTF_8)), 16));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }
}
