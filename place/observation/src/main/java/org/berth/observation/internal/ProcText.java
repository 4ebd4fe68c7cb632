package org.berth.observation.internal;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.OptionalLong;
import org.berth.text.ForeignText;

/**
 * Reads the texts of {@code /proc/<pid>/task/<tid>/*}; no files, no state. The texts arrive as bytes in a reused buffer
 * because a sampler reads hundreds of them a second.
 *
 * @see <a href="https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html">proc_pid_stat(5)</a>
 */
public final class ProcText {
    /** USER_HZ, the unit of times in stat, is 100 on every architecture that HotSpot runs on. */
    private static final long NANOS_PER_TICK = 10_000_000;

    // Numbers of the fields of stat as in proc_pid_stat(5).
    private static final int STATE = 3;
    private static final int USER_TIME = 14;
    private static final int SYSTEM_TIME = 15;
    private static final int PROCESSOR = 39;

    private ProcText() {}

    /** The contents of the file stat. */
    public record Stat(String name, char state, long cpuTimeNanos, int processor) {}

    /** Is empty when the text is cut off or is something else. */
    public static Optional<Stat> stat(byte[] text, int length) {
        int open = indexOf(text, 0, length, '(');
        int close = lastIndexOf(text, length, ')'); // the name itself may hold parentheses and spaces
        if (open < 0 || close <= open) {
            return Optional.empty();
        }
        char state = 0;
        long ticks = 0;
        int field = STATE;
        int at = close + 2;
        while (at < length) {
            int end = indexOf(text, at, length, ' ');
            if (end < 0) {
                end = length;
            }
            switch (field) {
                case STATE -> state = (char) text[at];
                case USER_TIME, SYSTEM_TIME -> ticks += number(text, at, end);
                case PROCESSOR -> {
                    String name = printable(text, open + 1, close);
                    return Optional.of(new Stat(name, state, ticks * NANOS_PER_TICK, (int) number(text, at, end)));
                }
                default -> {}
            }
            field++;
            at = end + 1;
        }
        return Optional.empty();
    }

    /**
     * CPU time from {@code schedstat}: exact where {@code stat} counts ticks of 10 ms. Empty when the kernel does not
     * keep it (all three numbers are then zero).
     */
    public static OptionalLong schedstatNanos(byte[] text, int length) {
        int end = indexOf(text, 0, length, ' ');
        long nanos = end < 0 ? 0 : number(text, 0, end);
        return nanos > 0 ? OptionalLong.of(nanos) : OptionalLong.empty();
    }

    /** How long the thread could run and had no CPU, from {@code schedstat}; 0 when the kernel does not keep it. */
    public static long waitedNanos(byte[] text, int length) {
        int end = indexOf(text, 0, length, ' ');
        return end < 0 ? 0 : number(text, end + 1, length);
    }

    /** How long a control group was stopped by its quota, from {@code cpu.stat} of version 2 or 1; 0 without a quota. */
    public static long throttledNanos(byte[] text, int length) {
        int micros = afterKey(text, length, "throttled_usec ");
        if (micros >= 0) {
            return 1000 * number(text, micros, length);
        }
        int nanos = afterKey(text, length, "throttled_time ");
        return nanos < 0 ? 0 : number(text, nanos, length);
    }

    /** {@code se.nr_migrations} from {@code sched}; empty when there is no such line. */
    public static OptionalLong migrations(byte[] text, int length) {
        int at = afterKey(text, length, "se.nr_migrations");
        if (at < 0) {
            return OptionalLong.empty();
        }
        while (at < length && (text[at] == ' ' || text[at] == ':')) {
            at++;
        }
        return OptionalLong.of(number(text, at, length));
    }

    /** The list after {@code Cpus_allowed_list:} in {@code status}, such as {@code 0-3,8}; empty when cut off. */
    public static Optional<String> allowedList(byte[] text, int length) {
        int at = afterKey(text, length, "Cpus_allowed_list:");
        int end = at < 0 ? -1 : indexOf(text, at, length, '\n');
        return end < 0
                ? Optional.empty()
                : Optional.of(new String(text, at, end - at, StandardCharsets.US_ASCII).strip());
    }

    /** Any program may put line breaks or terminal escapes into its threads' names. */
    private static String printable(byte[] text, int from, int to) {
        return ForeignText.clean(new String(text, from, to - from, StandardCharsets.UTF_8));
    }

    /** The position after a key that begins a line, or -1. A thread's name is too short to hold one of our keys. */
    private static int afterKey(byte[] text, int length, String key) {
        int line = 0;
        while (line >= 0 && line + key.length() <= length) {
            if (startsWith(text, line, key)) {
                return line + key.length();
            }
            int end = indexOf(text, line, length, '\n');
            line = end < 0 ? -1 : end + 1;
        }
        return -1;
    }

    private static boolean startsWith(byte[] text, int from, String key) {
        for (int i = 0; i < key.length(); i++) {
            if (text[from + i] != key.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    /** Leading digits as a number; 0 when there are none. */
    private static long number(byte[] text, int from, int to) {
        long value = 0;
        for (int i = from; i < to && text[i] >= '0' && text[i] <= '9'; i++) {
            value = value * 10 + (text[i] - '0');
        }
        return value;
    }

    private static int indexOf(byte[] text, int from, int to, char wanted) {
        for (int i = from; i < to; i++) {
            if (text[i] == wanted) {
                return i;
            }
        }
        return -1;
    }

    private static int lastIndexOf(byte[] text, int length, char wanted) {
        for (int i = length - 1; i >= 0; i--) {
            if (text[i] == wanted) {
                return i;
            }
        }
        return -1;
    }
}
