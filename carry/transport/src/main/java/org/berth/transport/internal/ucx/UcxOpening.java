package org.berth.transport.internal.ucx;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.berth.binding.internal.library.HostCalls;
import org.berth.transport.link.Frame;
import org.jspecify.annotations.Nullable;
import org.openucx.jucx.UcxCallback;
import org.openucx.jucx.ucp.UcpEndpoint;
import org.openucx.jucx.ucp.UcpRequest;

/**
 * A message by which a link is opened, in memory of its own. It may stay UCX's until the worker ends: an endpoint that
 * was given up before it has reached its peer goes on seeking, and would keep a buffer of the pool.
 */
final class UcxOpening extends UcxCallback {
    private final ByteBuffer memory;
    private final UcxLink link;

    /** @param header the number of a link */
    UcxOpening(UcxLink link, long header, byte[] content) {
        this.link = link;
        this.memory = ByteBuffer.allocateDirect(Frame.LINK_BYTES + content.length)
                .order(ByteOrder.nativeOrder())
                .putLong(0, header)
                .put(Frame.LINK_BYTES, content);
    }

    int contentBytes() {
        return memory.capacity() - Frame.LINK_BYTES;
    }

    /** Inside the worker. UCX refers to this object until it has sent the message, and so keeps its memory. */
    void send(UcpEndpoint to, int activeMessage) {
        long address = HostCalls.address(memory);
        to.sendAmNonBlocking(activeMessage, address, Long.BYTES, address + Frame.LINK_BYTES, contentBytes(), 0, this);
    }

    @Override
    public void onSuccess(@Nullable UcpRequest request) {
        link.openingSent(contentBytes());
    }

    @Override
    public void onError(int status, String reason) {
        link.openingFailed(reason + " (" + status + ")");
    }
}
