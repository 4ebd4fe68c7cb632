package org.berth.binding.internal.library;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.berth.binding.internal.NativeBridge;

/**
 * Calls of the host's C libraries that the transport makes by way of Berth's own, which must be loaded. Stateless.
 *
 * <p>It is not part of the API.
 */
public final class HostCalls {
    private static final int REASON_BYTES = 512;

    private HostCalls() {}

    /** Sets an environment variable of this process for C libraries that are loaded later, unless the user has set it (setenv(3)). */
    public static void setEnvironment(String name, String value) {
        NativeBridge.setEnvironment(name.getBytes(StandardCharsets.UTF_8), value.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Loads the host's UCX.
     *
     * @return its version in three numbers ({@code ucp_get_version})
     * @throws UnsatisfiedLinkError when there is none
     */
    public static int[] loadUcp() {
        byte[] reason = new byte[REASON_BYTES];
        int version = NativeBridge.ucpVersion(reason);
        if (version < 0) {
            throw new UnsatisfiedLinkError(new String(reason, StandardCharsets.UTF_8).split("\0", 2)[0]);
        }
        return new int[] {version >> 16, version >> 8 & 0xff, version & 0xff};
    }

    /**
     * Prepares a worker's file descriptor for a wait ({@code ucp_worker_arm}). The Java binding throws an exception with a stack
     * trace when something has happened meanwhile, which is the usual case under load and costs more than a message.
     *
     * @param worker its native handle
     * @return 0, or a status below 0 such as UCS_ERR_BUSY
     */
    public static int armUcxWorker(long worker) {
        return NativeBridge.armUcxWorker(worker);
    }

    /** Waits until a file descriptor can be read (poll(2)), or for some milliseconds. */
    public static void waitReadable(int fileDescriptor, int timeoutMillis) {
        NativeBridge.pollReadable(fileDescriptor, timeoutMillis);
    }

    /** The address of a direct buffer. */
    public static long address(ByteBuffer buffer) {
        return NativeBridge.directBufferAddress(buffer);
    }

    /** Reads eight bytes of memory, in the order of the processor. */
    public static long readLong(long address) {
        return NativeBridge.readLong(address);
    }

    /** Copies memory (memcpy(3)). */
    public static void copy(long from, long to, long byteCount) {
        NativeBridge.copyMemory(from, to, byteCount);
    }
}
