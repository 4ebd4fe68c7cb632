package org.berth.topology;

import org.jspecify.annotations.Nullable;

/**
 * Any failure that Berth's libraries report without a checked exception. The message is one line: what was tried, on what, why it
 * failed and what to do about it; the methods have the same for programs.
 *
 * @since 0.1.0
 */
public abstract class BerthException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final FailureKind kind;

    /** Has the message and kind of one failure. */
    protected BerthException(FailureKind kind, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.kind = kind;
    }

    /** The kind, which says whether it is worth to try again or to go on without. */
    public final FailureKind kind() {
        return kind;
    }

    /** The kernel's error number (positive, errno(3)); 0 when no system call was made or its number is not known. */
    public int errno() {
        return 0;
    }

    /** How to fix it, as at the end of the message; empty when the message alone says it. */
    public String remedy() {
        return "";
    }
}
