package org.berth.cli.shared;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.berth.observation.internal.process.CallerEnvironment;
import org.jspecify.annotations.Nullable;

/**
 * Standard output and error of a command, and their capabilities. Both writers use UTF-8 independently of the JVM's
 * default charset; {@link #utf8} tells whether the reader can show characters beyond ASCII.
 */
public final class Terminal {
    private static final int DEFAULT_COLUMNS = 80;
    private static final int DEFAULT_ROWS = 24;
    private static final int SIGPIPE_EXIT = 128 + 13;

    private final PrintWriter out;
    private final PrintWriter err;
    private final int columns;
    private final boolean utf8;
    private final boolean colour;
    private final boolean interactive;
    private final @Nullable CheckedStream checked;
    private volatile boolean resized = true;
    private boolean listens;
    private Size size = new Size(DEFAULT_COLUMNS, DEFAULT_ROWS);

    /** In characters. */
    public record Size(int columns, int rows) {}

    private Terminal(
            PrintWriter out,
            PrintWriter err,
            int columns,
            boolean utf8,
            boolean colour,
            boolean interactive,
            @Nullable CheckedStream checked) {
        this.out = new PrintWriter(new PlainWriter(out));
        this.err = new PrintWriter(new PlainWriter(err), true);
        this.columns = columns;
        this.utf8 = utf8;
        this.colour = colour;
        this.interactive = interactive;
        this.checked = checked;
    }

    /** A terminal without colour, like a pipe. */
    public static Terminal of(PrintWriter out, PrintWriter err, int columns, boolean utf8) {
        return new Terminal(out, err, columns, utf8, false, false, null);
    }

    /** Standard output and error of this process. */
    public static Terminal ofProcess() {
        Map<String, String> environment = CallerEnvironment.variables();
        CheckedStream stream = new CheckedStream(new FileOutputStream(FileDescriptor.out));
        boolean interactive = isTerminal(1);
        return new Terminal(
                new PrintWriter(new OutputStreamWriter(stream, StandardCharsets.UTF_8)),
                new PrintWriter(
                        new OutputStreamWriter(new FileOutputStream(FileDescriptor.err), StandardCharsets.UTF_8), true),
                columns(environment, interactive),
                isUtf8(environment),
                interactive && wantsColour(environment),
                interactive,
                stream);
    }

    /** A terminal whose output goes to standard error, too. */
    public Terminal toStandardError() {
        return of(err, err, columns, utf8); // cleaned twice, which changes nothing
    }

    public PrintWriter out() {
        return out;
    }

    public PrintWriter err() {
        return err;
    }

    /** Width in characters; 80 when unknown. */
    public int columns() {
        return columns;
    }

    /** Width of lines that programs read, too: without limit in a pipe or file, unless COLUMNS asks for one. */
    public int lineColumns() {
        return interactive || number(System.getenv().getOrDefault("COLUMNS", "")) > 0 ? columns : Integer.MAX_VALUE;
    }

    /** Width and height in characters at present; {@code stty} is asked again only after the kernel says that they changed. */
    public Size size() {
        if (!listens) {
            listens = true;
            Signals.listen(Signals.WINCH, signal -> resized = true);
        }
        if (resized) {
            resized = false;
            Map<String, String> environment = CallerEnvironment.variables();
            int rows = size(environment, "LINES", interactive, 0);
            size = new Size(columns(environment, interactive), rows > 0 ? rows : DEFAULT_ROWS);
        }
        return size;
    }

    public boolean utf8() {
        return utf8;
    }

    /** True only on a terminal, without NO_COLOR and TERM=dumb. */
    public boolean colour() {
        return colour;
    }

    /** True when standard output is a terminal. */
    public boolean interactive() {
        return interactive;
    }

    /** True when standard error is a terminal whose lines can be redrawn. */
    public boolean redrawsErrors() {
        return checked != null
                && isTerminal(2)
                && !"dumb".equals(CallerEnvironment.variables().get("TERM"));
    }

    /** True when standard input is a terminal. */
    public static boolean hasKeys() {
        return isTerminal(0);
    }

    /**
     * Flushes both streams and returns the exit code. A full disk is a failure; a closed pipe ({@code | head}) gives the
     * exit code of SIGPIPE without a message.
     */
    public int finish(int exitCode) {
        out.flush();
        err.flush();
        IOException failure = checked == null ? null : checked.failure;
        if (failure == null) {
            return exitCode;
        }
        String reason = String.valueOf(failure.getMessage());
        if (reason.contains("Broken pipe")) {
            return SIGPIPE_EXIT;
        }
        err.println("berth: cannot write to standard output: " + reason);
        err.flush();
        return 1;
    }

    /** LC_ALL over LC_CTYPE over LANG, as the C library does. */
    public static boolean isUtf8(Map<String, String> environment) {
        for (String name : new String[] {"LC_ALL", "LC_CTYPE", "LANG"}) {
            String value = environment.getOrDefault(name, "");
            if (!value.isEmpty()) {
                String upper = value.toUpperCase(Locale.ROOT);
                return upper.contains("UTF-8") || upper.contains("UTF8");
            }
        }
        return false;
    }

    public static boolean wantsColour(Map<String, String> environment) {
        return environment.getOrDefault("NO_COLOR", "").isEmpty() && !"dumb".equals(environment.get("TERM"));
    }

    private static int columns(Map<String, String> environment, boolean interactive) {
        int columns = size(environment, "COLUMNS", interactive, 1);
        return columns > 0 ? columns : DEFAULT_COLUMNS;
    }

    private static int size(Map<String, String> environment, String name, boolean interactive, int index) {
        int asked = number(environment.getOrDefault(name, ""));
        return asked <= 0 && interactive ? sttySize(index) : asked;
    }

    /** Asks stty for rows (0) or columns (1): shells do not export COLUMNS, and Java has no ioctl. */
    private static int sttySize(int index) {
        try {
            Process stty = new ProcessBuilder("stty", "size")
                    .redirectInput(Path.of("/proc/self/fd/1").toRealPath().toFile())
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            String answer = new String(stty.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).strip();
            stty.waitFor(1, TimeUnit.SECONDS);
            String[] size = answer.split(" ", -1);
            return size.length == 2 ? number(size[index]) : 0;
        } catch (IOException unknown) {
            return 0;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return 0;
        }
    }

    /** System.console() asks for a terminal on standard input too, and means something else from JDK 22 on. */
    private static boolean isTerminal(int fileDescriptor) {
        try {
            String target = Files.readSymbolicLink(Path.of("/proc/self/fd/" + fileDescriptor))
                    .toString();
            return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty") || target.equals("/dev/console");
        } catch (IOException unknown) {
            return false;
        }
    }

    private static int number(String text) {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException notANumber) {
            return 0;
        }
    }

    /** PrintWriter swallows the reason of a failure; this keeps the first one. */
    private static final class CheckedStream extends OutputStream {
        private final OutputStream target;
        private @Nullable IOException failure;

        CheckedStream(OutputStream target) {
            this.target = target;
        }

        @Override
        public void write(int b) throws IOException {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int from, int length) throws IOException {
            try {
                target.write(bytes, from, length);
            } catch (IOException e) {
                failure = failure == null ? e : failure;
                throw e;
            }
        }

        @Override
        public void flush() throws IOException {
            target.flush();
        }
    }
}
