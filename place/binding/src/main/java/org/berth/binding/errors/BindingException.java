package org.berth.binding.errors;

import org.berth.binding.internal.Errno;
import org.berth.text.ForeignText;
import org.jspecify.annotations.Nullable;

/**
 * Thrown when something cannot be discovered or bound.
 *
 * <p>The message is one line: what was tried, on what, why it failed and what to do about it.
 *
 * @since 0.1.0
 */
public final class BindingException extends RuntimeException {
    private static final int LONGEST_PART = 400;

    private final String operation;
    private final int errno;
    private final String hint;

    private BindingException(
            String operation,
            String target,
            String requested,
            int errno,
            String reason,
            String hint,
            @Nullable Throwable cause) {
        super(message(operation, target, requested, reason, hint), cause);
        this.operation = operation;
        this.errno = errno;
        this.hint = hint;
    }

    /** A system call failed; the errno is explained by its symbolic name. */
    public static BindingException ofErrno(String operation, String target, String requested, int errno, String hint) {
        return new BindingException(operation, target, requested, errno, Errno.describe(errno), hint, null);
    }

    /** Refused or failed before any system call. */
    public static BindingException of(String operation, String target, String requested, String reason, String hint) {
        return new BindingException(operation, target, requested, 0, reason, hint, null);
    }

    /** A system call failed, and the native library has explained it. */
    public static BindingException ofReason(String operation, String target, int errno, String reason) {
        return new BindingException(operation, target, "", errno, reason, "", null);
    }

    /** Explains a failure of Java, such as an IOException. */
    public static BindingException of(String operation, String target, String reason, String hint, Throwable cause) {
        return new BindingException(operation, target, "", 0, reason, hint, cause);
    }

    /** The operation: "bind", "read", "load". */
    public String operation() {
        return operation;
    }

    /** The kernel's error number (positive), or 0 when no system call was made. */
    public int errno() {
        return errno;
    }

    /** How to fix it; may be empty. */
    public String hint() {
        return hint;
    }

    private static String message(String operation, String target, String requested, String reason, String hint) {
        StringBuilder line =
                new StringBuilder("cannot ").append(operation).append(' ').append(part(target));
        if (!requested.isEmpty()) {
            line.append(" to ").append(part(requested));
        }
        line.append(": ").append(part(reason));
        if (!hint.isEmpty()) {
            line.append("; ").append(part(hint));
        }
        return line.toString();
    }

    /** Text from outside may hold line breaks or terminal escapes; the message must stay one plain line. */
    private static String part(String text) {
        StringBuilder plain = new StringBuilder();
        text.codePoints()
                .limit(LONGEST_PART)
                .map(c -> ForeignText.isObeyed(c) ? ' ' : c)
                .forEach(plain::appendCodePoint);
        return text.length() > LONGEST_PART ? plain.append("...").toString() : plain.toString();
    }
}
