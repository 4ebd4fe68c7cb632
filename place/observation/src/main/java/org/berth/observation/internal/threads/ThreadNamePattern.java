package org.berth.observation.internal.threads;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.berth.observation.ThreadSnapshot;

/**
 * A glob over the names that a JVM gives its threads, applied to the short names that the kernel shows. {@code *} stands
 * for any characters, {@code ?} for one.
 *
 * <p>The kernel keeps the first 15 bytes of a name. So for a short name of that length the answer is "could be": whether
 * <em>some</em> name that begins like this matches.
 *
 * <p><b>Thread safety</b>: immutable.
 *
 * @since 0.1.0
 */
public final class ThreadNamePattern {
    private static final int KERNEL_NAME_BYTES = 15;

    private final String glob;
    private final int[] pattern;

    private ThreadNamePattern(String glob) {
        this.glob = glob;
        this.pattern = glob.codePoints().toArray();
    }

    /** Any text is a glob. */
    public static ThreadNamePattern of(String glob) {
        return new ThreadNamePattern(glob);
    }

    /** Whether a thread with this kernel name may be one that the glob means. */
    public boolean mayMatch(String kernelName) {
        // A character of several bytes may have been cut in two; its half was decoded as U+FFFD.
        String whole = kernelName.endsWith("\uFFFD") ? kernelName.substring(0, kernelName.length() - 1) : kernelName;
        boolean cut =
                !whole.equals(kernelName) || kernelName.getBytes(StandardCharsets.UTF_8).length >= KERNEL_NAME_BYTES;
        return matches(whole, cut);
    }

    /** Whether a complete name matches; {@code thread_name_pattern.c} says the same of the agent's rules. */
    public boolean matches(String name) {
        return matches(name, false);
    }

    /** Does the same as {@link #mayMatch(String)} for a thread in a sample. */
    public boolean mayMatch(ThreadSnapshot thread) {
        return mayMatch(thread.name());
    }

    /**
     * Glob matching with one step back: when characters differ, the last star takes one character more. An earlier one that took
     * more could not match more.
     */
    private boolean matches(String text, boolean cut) {
        int[] name = text.codePoints().toArray();
        int inGlob = 0;
        int inName = 0;
        int star = -1;
        int starTook = 0;
        while (inName < name.length) {
            int wanted = inGlob < pattern.length ? pattern[inGlob] : 0;
            if (wanted == '*') {
                star = inGlob++;
                starTook = inName;
            } else if (inGlob < pattern.length && (wanted == '?' || wanted == name[inName])) {
                inGlob++;
                inName++;
            } else if (star >= 0) {
                inGlob = star + 1;
                inName = ++starTook;
            } else {
                return false;
            }
        }
        return cut || Arrays.stream(pattern, inGlob, pattern.length).allMatch(left -> left == '*');
    }

    /** The glob. */
    @Override
    public String toString() {
        return glob;
    }
}
