package org.berth.cli.run;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import org.berth.observation.internal.process.CallerEnvironment;

/**
 * The bytes of variables that the caller has set and that Berth adds words to. The JVM decodes its environment by the locale, and what
 * is no letter there is lost (see {@link RawArguments}); {@code /proc/self/environ} has all of it.
 */
final class RawEnvironment {
    private static final Path ENVIRONMENT = Path.of("/proc/self/environ");

    private RawEnvironment() {}

    /** {@code NAME=VALUE}, in which the part that the caller wrote has the caller's bytes. */
    static byte[] assignment(String name, String value) {
        String own = CallerEnvironment.variables().getOrDefault(name, "");
        try {
            return assignment(name, value, own, Files.readAllBytes(ENVIRONMENT));
        } catch (IOException noProc) {
            return (name + "=" + value).getBytes(StandardCharsets.UTF_8);
        }
    }

    static byte[] assignment(String name, String value, String own, byte[] environment) {
        int start = own.indexOf('\uFFFD') < 0 ? -1 : value.indexOf(own);
        Optional<byte[]> raw = start < 0
                ? Optional.empty()
                : find(environment, CallerEnvironment.hidden(name)).or(() -> find(environment, name));
        if (raw.isEmpty()) {
            return (name + "=" + value).getBytes(StandardCharsets.UTF_8);
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes((name + "=" + value.substring(0, start)).getBytes(StandardCharsets.UTF_8));
        out.writeBytes(raw.get());
        out.writeBytes(value.substring(start + own.length()).getBytes(StandardCharsets.UTF_8));
        return out.toByteArray();
    }

    private static Optional<byte[]> find(byte[] environment, String name) {
        byte[] begin = (name + "=").getBytes(StandardCharsets.UTF_8);
        return RawArguments.split(environment).stream()
                .filter(word ->
                        word.length >= begin.length && Arrays.equals(word, 0, begin.length, begin, 0, begin.length))
                .map(word -> Arrays.copyOfRange(word, begin.length, word.length))
                .findFirst();
    }
}
