package org.berth.transport;

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
            throw new IllegalStateException("the message goes by no link");
        }
        return by;
    }

    @Override
    public void onSuccess(@Nullable UcpRequest request) {
        link().sent(message);
    }

    @Override
    public void onError(int status, String reason) {
        link().notSent(message, status, reason);
    }
}
