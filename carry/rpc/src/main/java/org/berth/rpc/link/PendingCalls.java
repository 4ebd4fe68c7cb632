package org.berth.rpc.link;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The calls of a connection that wait for their replies, by number: a map that allocates nothing per call. Thread-safe. */
final class PendingCalls {
    private static final int SMALLEST = 16;

    /** Open addressing; a power of two, at most half full. */
    private int[] ids = new int[SMALLEST];

    private @Nullable PendingCall[] calls = new @Nullable PendingCall[SMALLEST];
    private int size;
    private boolean closed;

    /** False when the connection is closed, or a call of this number waits already. */
    synchronized boolean add(int id, PendingCall call) {
        if (closed) {
            return false;
        }
        if (2 * (size + 1) > ids.length) {
            grow();
        }
        int place = place(id);
        if (calls[place] != null) {
            return false;
        }
        ids[place] = id;
        calls[place] = call;
        size++;
        return true;
    }

    /** Who takes a call out completes it; null when another thread has. */
    synchronized @Nullable PendingCall remove(int id) {
        int place = place(id);
        PendingCall call = calls[place];
        if (call != null) {
            calls[place] = null;
            size--;
            closeGap(place);
        }
        return call;
    }

    synchronized boolean isEmpty() {
        return size == 0;
    }

    /** Takes all out and lets no more in. */
    synchronized List<PendingCall> close() {
        closed = true;
        List<PendingCall> left = new ArrayList<>();
        for (PendingCall call : calls) {
            if (call != null) {
                left.add(call);
            }
        }
        Arrays.fill(calls, null);
        size = 0;
        return left;
    }

    /** Where a number is, or would be. */
    private int place(int id) {
        int mask = ids.length - 1;
        int place = home(id);
        while (calls[place] != null && ids[place] != id) {
            place = (place + 1) & mask;
        }
        return place;
    }

    private int home(int id) {
        return ((id * 0x9E3779B9) >>> 16) & (ids.length - 1);
    }

    /** Moves those that follow, so that a search for them does not end here. */
    private void closeGap(int gap) {
        int mask = ids.length - 1;
        int empty = gap;
        for (int next = (gap + 1) & mask; calls[next] != null; next = (next + 1) & mask) {
            boolean homeIsBetween = ((next - home(ids[next])) & mask) < ((next - empty) & mask);
            if (!homeIsBetween) {
                ids[empty] = ids[next];
                calls[empty] = calls[next];
                calls[next] = null;
                empty = next;
            }
        }
    }

    private void grow() {
        int[] oldIds = ids;
        @Nullable PendingCall[] oldCalls = calls;
        ids = new int[2 * oldIds.length];
        calls = new @Nullable PendingCall[ids.length];
        for (int i = 0; i < oldIds.length; i++) {
            if (oldCalls[i] != null) {
                int place = place(oldIds[i]);
                ids[place] = oldIds[i];
                calls[place] = oldCalls[i];
            }
        }
    }
}
