package org.berth.binding.errors;

import org.berth.binding.internal.Errno;
import org.berth.text.ForeignText;
import org.berth.topology.BerthException;
import org.berth.topology.CpuSet;
import org.berth.topology.FailureKind;
import org.berth.topology.NodeSet;
import org.jspecify.annotations.Nullable;

/**
 * Thrown when something cannot be discovered or bound.
 *
 * <p>The message is one line: what was tried, on what, why it failed and what to do about it.
 *
 * @since 0.1.0
 */
public final class BindingException extends BerthException {
    private static final int LONGEST_PART = 400;

    private final String operation;
    private final int errno;
    private final String remedy;

    private BindingException(
            FailureKind kind,
            String operation,
            String target,
            String requested,
            int errno,
            String reason,
            String remedy,
            @Nullable Throwable cause) {
        super(kind, message(operation, target, requested, reason, remedy), cause);
        this.operation = operation;
        this.errno = errno;
        this.remedy = remedy;
    }

    /** A system call failed; the errno is explained by its symbolic name. */
    public static BindingException ofErrno(
            String operation, String target, String requested, int errno, String remedy) {
        return new BindingException(
                kindOf(errno), operation, target, requested, errno, Errno.describe(errno), remedy, null);
    }

    /** Refused or failed before any system call. */
    public static BindingException of(
            FailureKind kind, String operation, String target, String requested, String reason, String remedy) {
        return new BindingException(kind, operation, target, requested, 0, reason, remedy, null);
    }

    /**
     * Refuses CPUs to which a program may not bind.
     *
     * @throws BindingException when there is none, or one is not allowed
     */
    public static void requireAllowed(CpuSet cpus, CpuSet allowed, String target) {
        if (cpus.isEmpty() || !allowed.containsAll(cpus)) {
            throw of(
                    cpus.isEmpty() ? FailureKind.INVALID : FailureKind.NOT_ALLOWED,
                    "bind",
                    target,
                    cpus.isEmpty() ? "no CPUs" : "CPUs " + cpus,
                    cpus.isEmpty() ? "no CPU is given" : "CPUs " + cpus.minus(allowed) + " are not allowed here",
                    "this process may use CPUs " + allowed);
        }
    }

    /**
     * Refuses memory nodes to which a program may not bind.
     *
     * @param policy what was asked for, as the message has it
     * @throws BindingException when one is not allowed
     */
    public static void requireAllowed(NodeSet nodes, NodeSet allowed, String policy, String target) {
        if (!allowed.containsAll(nodes)) {
            throw of(
                    FailureKind.NOT_ALLOWED,
                    "bind",
                    target,
                    policy,
                    "nodes " + nodes.minus(allowed) + " are not allowed here",
                    "this process may use memory of nodes " + allowed);
        }
    }

    /** The native library has failed, and explains why: EINVAL is about the request, and this machine has no such thing for ENOENT. */
    public static BindingException ofReason(String operation, String target, int errno, String reason) {
        FailureKind kind = switch (errno) {
            case Errno.ENOENT -> FailureKind.UNAVAILABLE;
            case Errno.EINVAL -> FailureKind.INVALID;
            default -> kindOf(errno);
        };
        return new BindingException(kind, operation, target, "", errno, reason, "", null);
    }

    /** Explains a failure of Java, such as an IOException. */
    public static BindingException of(
            FailureKind kind, String operation, String target, String reason, String remedy, Throwable cause) {
        return new BindingException(kind, operation, target, "", 0, reason, remedy, cause);
    }

    /** The operation: "bind", "read", "load". */
    public String operation() {
        return operation;
    }

    @Override
    public int errno() {
        return errno;
    }

    @Override
    public String remedy() {
        return remedy;
    }

    private static FailureKind kindOf(int errno) {
        return switch (errno) {
            case Errno.EPERM, Errno.EACCES -> FailureKind.NOT_ALLOWED;
            case Errno.ESRCH, Errno.ENOENT -> FailureKind.GONE;
            case Errno.EBUSY, Errno.EAGAIN, Errno.ETIMEDOUT -> FailureKind.BUSY;
            case Errno.ENOSYS, Errno.EOPNOTSUPP, Errno.ENOPROTOOPT -> FailureKind.UNAVAILABLE;
            default -> FailureKind.REFUSED_BY_KERNEL;
        };
    }

    private static String message(String operation, String target, String requested, String reason, String remedy) {
        StringBuilder line =
                new StringBuilder("cannot ").append(operation).append(' ').append(part(target));
        if (!requested.isEmpty()) {
            line.append(" to ").append(part(requested));
        }
        line.append(": ").append(part(reason));
        if (!remedy.isEmpty()) {
            line.append("; ").append(part(remedy));
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
