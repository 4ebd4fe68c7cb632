package org.berth.rpc.link;

import org.berth.transport.link.MessageBuffer;
import org.berth.transport.progress.Signal;
import org.jspecify.annotations.Nullable;

/** What one thread waits for; each thread has one for all of its calls. Fields are written before the signal is set. */
public final class PendingCall {
    private static final ThreadLocal<PendingCall> OF_THREAD = ThreadLocal.withInitial(PendingCall::new);

    private final Signal signal = new Signal();
    private @Nullable MessageBuffer reply;
    private boolean busy;

    private PendingCall() {}

    /** The calling thread's; null while it waits for another call, in whose wait this one is. */
    public static @Nullable PendingCall begin() {
        PendingCall own = OF_THREAD.get();
        if (own.busy) {
            return null;
        }
        own.busy = true;
        own.reply = null;
        own.signal.reset();
        return own;
    }

    /** Ready for the thread's next call. */
    public void end() {
        busy = false;
    }

    Signal signal() {
        return signal;
    }

    /** The reply, or null when the connection was lost; by the thread that took this out of the connection's calls. */
    void complete(@Nullable MessageBuffer message) {
        reply = message;
        signal.set();
    }

    @Nullable
    MessageBuffer reply() {
        return reply;
    }
}
