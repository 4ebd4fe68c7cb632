package org.berth.topology;

/**
 * What kind of failure a {@link BerthException} reports, for programs that go on in a way that depends on it.
 *
 * @since 0.1.0
 */
public enum FailureKind {
    /**
     * This JVM, machine or kernel does not have what is needed: no native library, another operating system, a system call
     * that the kernel lacks. The same request fails again; a program may go on unbound.
     */
    UNAVAILABLE,
    /** CPUs or memory nodes that this process may not use, a limit, or missing rights (EPERM, EACCES). */
    NOT_ALLOWED,
    /** A process, thread or device that no longer exists, or never did (ESRCH). */
    GONE,
    /** Another process or thread has it now (EBUSY, EAGAIN, ETIMEDOUT): the same request may work later. */
    BUSY,
    /** A request or an input that is wrong in itself: a description that no machine can have, a plan that no machine can meet. */
    INVALID,
    /** The kernel refused for another reason, or did something else than what was asked for. */
    REFUSED_BY_KERNEL,
    /** Anything else, such as a file that cannot be written. */
    FAILED
}
