package org.berth.cli.shared;

import java.io.IOException;
import java.io.Writer;
import java.util.List;
import org.berth.text.ForeignText;

/**
 * The last filter before a terminal, which passes what Berth itself sends (colours, and the screen of a live table), and replaces whatever else a terminal would obey, from whatever name or answer it comes.
 */
final class PlainWriter extends Writer {
    private static final int LONGEST_SEQUENCE = 24;
    /** Private modes of terminals: the screen without a history, and the cursor. */
    private static final List<String> PRIVATE = List.of("?1049", "?25");

    private final Writer target;
    private final StringBuilder clean = new StringBuilder();
    /** The beginning of what may be a sequence of ours; it may come in pieces. */
    private final StringBuilder begun = new StringBuilder();

    PlainWriter(Writer target) {
        this.target = target;
    }

    @Override
    public void write(char[] text, int from, int length) throws IOException {
        synchronized (lock) {
            for (int i = from; i < from + length; i++) {
                accept(text[i]);
            }
            target.append(clean);
            clean.setLength(0);
        }
    }

    private void accept(char c) {
        boolean start = c == '\r' || (c == '\u001b' && !begun.toString().equals("\r"));
        if (start) {
            giveUp();
            begun.append(c);
        } else if (begun.length() == 0) {
            plain(c);
        } else if (begun.length() < LONGEST_SEQUENCE && goesOn(c)) {
            begun.append(c);
        } else if (endsSequence(c)) {
            clean.append(begun).append(c);
            begun.setLength(0);
        } else {
            giveUp();
            plain(c);
        }
    }

    private boolean goesOn(char c) {
        char last = begun.charAt(begun.length() - 1);
        return switch (last) {
            case '\r' -> c == '\u001b';
            case '\u001b' -> c == '[';
            case '[' -> c == '?' || isNumber(c);
            default -> isNumber(c);
        };
    }

    private static boolean isNumber(char c) {
        return c == ';' || (c >= '0' && c <= '9');
    }

    /**
     * Colours, lines up, the first line, the rest of a line or the screen cleared, the other screen and the cursor, and the line ends of
     * CSV; never a title, a clipboard or an answer.
     */
    private boolean endsSequence(char c) {
        String text = begun.toString();
        if (text.contains("?")) {
            return (c == 'h' || c == 'l') && PRIVATE.contains(text.substring(text.indexOf('?')));
        }
        return (c == '\n' && text.equals("\r")) || (text.indexOf('[') > 0 && "mAJHK".indexOf(c) >= 0);
    }

    private void giveUp() {
        for (int i = 0; i < begun.length(); i++) {
            plain(begun.charAt(i));
        }
        begun.setLength(0);
    }

    private void plain(char c) {
        boolean own = c == '\n' || c == '\t' || Character.isSurrogate(c);
        clean.append(!own && ForeignText.isObeyed(c) ? '?' : c);
    }

    @Override
    public void flush() throws IOException {
        target.flush();
    }

    @Override
    public void close() throws IOException {
        synchronized (lock) {
            giveUp();
            target.append(clean);
            clean.setLength(0);
        }
        target.close();
    }
}
