package org.berth.transport.link;

import org.berth.transport.failure.TransportException;
import org.jspecify.annotations.Nullable;

/** Failures that links of all providers have in common. It is not part of the API. */
public final class LinkFailures {
    private LinkFailures() {}

    public static TransportException closed(String peer, @Nullable TransportException cause) {
        return new TransportException(
                TransportException.Kind.CLOSED,
                "the connection to " + peer + " is closed" + (cause == null ? "" : ": " + cause.getMessage()),
                cause);
    }

    public static TransportException tooLarge(int length, EngineParts parts) {
        return new TransportException(
                TransportException.Kind.TOO_LARGE,
                "a message of " + length + " bytes is not sent: the limit is "
                        + parts.limits().largestMessageBytes() + " (max-message)");
    }

    /** A receiver has thrown what it may not throw: its connection cannot go on, all others can. */
    public static TransportException receiverFailed(String peer, Throwable thrown) {
        tell("the receiver of messages from " + peer + " failed", thrown);
        return new TransportException(
                TransportException.Kind.CLOSED, "the receiver of messages from " + peer + " failed: " + thrown, thrown);
    }

    /** Does what concerns one link or message of several: whatever it throws, the others have their turn. */
    public static void apart(String what, Runnable work) {
        try {
            work.run();
        } catch (Throwable e) {
            tell(what, e);
        }
    }

    static void tell(String what, Throwable thrown) {
        try {
            System.getLogger(LinkFailures.class.getName()).log(System.Logger.Level.ERROR, "berth: " + what, thrown);
        } catch (Throwable withoutLog) {
            // The JDK's logger throws an Error itself when no file descriptor is left.
        }
    }
}
