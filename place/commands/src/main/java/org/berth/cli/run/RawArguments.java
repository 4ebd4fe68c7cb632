package org.berth.cli.run;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.berth.text.ShellWord;

/**
 * The bytes of this process' last arguments.
 *
 * <p>The JVM decodes its arguments by the locale, and in the C locale every letter beyond ASCII is lost. A command must
 * arrive as the user wrote it, so its words are taken from {@code /proc/self/cmdline} (proc_pid_cmdline(5)).
 */
final class RawArguments {
    private static final Path COMMAND_LINE = Path.of("/proc/self/cmdline");

    private RawArguments() {}

    /** The words, each ended by NUL, undamaged where they are indeed the last arguments of this process. */
    static byte[] bytesOf(List<String> lastWords) {
        try {
            return bytesOf(lastWords, Files.readAllBytes(COMMAND_LINE));
        } catch (IOException noProc) {
            return encode(lastWords);
        }
    }

    static byte[] bytesOf(List<String> lastWords, byte[] commandLine) {
        List<byte[]> raw = split(commandLine);
        int first = raw.size() - lastWords.size();
        if (first < 0) {
            return encode(lastWords);
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (int i = 0; i < lastWords.size(); i++) {
            byte[] word = raw.get(first + i);
            if (!agree(word, lastWords.get(i))) {
                return encode(lastWords);
            }
            out.writeBytes(word);
            out.write(0);
        }
        return out.toByteArray();
    }

    /** Plain ASCII on the command line must equal Java's text; other characters may have been damaged. */
    private static boolean agree(byte[] raw, String seen) {
        String ascii = new String(raw, StandardCharsets.US_ASCII);
        return ascii.indexOf('\uFFFD') >= 0 || ascii.equals(seen);
    }

    /** The words as a shell reads them back, byte by byte: bytes that are no text in this locale stand as {@code $'\xNN'}. */
    static List<String> shellWords(List<String> lastWords) {
        List<byte[]> raw = split(bytesOf(lastWords));
        List<String> words = new ArrayList<>();
        for (int i = 0; i < lastWords.size(); i++) {
            String seen = lastWords.get(i);
            boolean text = Arrays.equals(seen.getBytes(StandardCharsets.UTF_8), raw.get(i));
            words.add(text ? ShellWord.quote(seen) : ShellWord.ofBytes(raw.get(i)));
        }
        return words;
    }

    static List<byte[]> split(byte[] text) {
        List<byte[]> words = new ArrayList<>();
        int start = 0;
        for (int i = 0; i < text.length; i++) {
            if (text[i] == 0) {
                words.add(Arrays.copyOfRange(text, start, i));
                start = i + 1;
            }
        }
        return words;
    }

    private static byte[] encode(List<String> words) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (String word : words) {
            out.writeBytes(word.getBytes(StandardCharsets.UTF_8));
            out.write(0);
        }
        return out.toByteArray();
    }
}
