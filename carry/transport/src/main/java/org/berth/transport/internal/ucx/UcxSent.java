package org.berth.transport.internal.ucx;

import org.berth.transport.link.MessageBuffer;
import org.jspecify.annotations.Nullable;
import org.openucx.jucx.UcxCallback;
import org.openucx.jucx.ucp.UcpRequest;

/** What UCX calls when it has sent a message; it stays with its buffer, so that sending allocates none. */
final class UcxSent extends UcxCallback {
    private final MessageBuffer message;
    private volatile @Nullable UcxLink link;

    private UcxSent(MessageBuffer message) {
        this.message = message;
    }

    static UcxSent of(MessageBuffer message, UcxLink link) {
        UcxSent known = message.sending instanceof UcxSent sent ? sent : new UcxSent(message);
        message.sending = known;
        known.link = link;
        return known;
    }

    /** The link that the message goes by. */
    UcxLink link() {
        UcxLink by = link;
        if (by == null) {
            throw new IllegalStateException("the message belongs to no link");
        }
        return by;
    }

    MessageBuffer message() {
        return message;
    }

    /** Gives up on UCX: the message has no owner any more, and what UCX may still report about it is ignored. */
    void abandon() {
        message.sending = null;
        link = null;
    }

    @Override
    public void onSuccess(@Nullable UcpRequest request) {
        UcxLink by = link;
        if (by != null) {
            by.sent(this);
        }
    }

    @Override
    public void onError(int status, String reason) {
        UcxLink by = link;
        if (by != null) {
            by.notSent(this, reason + " (" + status + ")");
        }
    }
}
