package org.berth.binding.leases;

import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Locale;

/**
 * Paths as the kernel has them, which are bytes. Java's text of a path depends on the locale: in the C locale it has no
 * letters beyond ASCII. Only a path's URI holds every byte.
 */
final class PathBytes {
    private PathBytes() {}

    /** The bytes of an absolute or relative path. */
    static byte[] of(Path path) {
        // A directory that exists gets a slash at its end, with which a link would stand for what it points to.
        byte[] text = path.toUri().getRawPath().replaceFirst("(?<=.)/+$", "").getBytes(StandardCharsets.US_ASCII);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (int i = 0; i < text.length; i++) {
            if (text[i] == '%') {
                bytes.write(Integer.parseInt(new String(text, i + 1, 2, StandardCharsets.US_ASCII), 16));
                i += 2;
            } else {
                bytes.write(text[i]);
            }
        }
        return bytes.toByteArray();
    }

    /** The path of these bytes; a relative one begins at the working directory. */
    static Path pathOf(byte[] bytes) {
        StringBuilder uri = new StringBuilder();
        for (byte each : bytes) {
            uri.append(each == '/' ? "/" : String.format(Locale.ROOT, "%%%02X", each & 0xFF));
        }
        boolean absolute = bytes.length > 0 && bytes[0] == '/';
        String base = absolute ? "" : Path.of("").toUri().getRawPath();
        // The JDK takes a path byte by byte only from the form with three slashes.
        return Path.of(URI.create("file://" + (base + uri).replaceAll("^/+", "/")));
    }
}
