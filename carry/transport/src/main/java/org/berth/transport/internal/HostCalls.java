package org.berth.transport.internal;

import java.nio.ByteBuffer;

/** What {@link LwjglHostCalls} does with LWJGL, whose loader may be another one. */
public interface HostCalls {
    /** setenv(3), which leaves a variable that is set. */
    void setEnvironment(String name, String value);

    /**
     * {@code ucp_get_version}.
     *
     * @throws UnsatisfiedLinkError when the host has no UCX
     */
    int[] ucpVersion();

    /** {@code ucp_worker_arm}. */
    int armWorker(long worker);

    /** poll(2) for one file descriptor that can be read. */
    void waitReadable(int fileDescriptor, int timeoutMillis);

    /** The address of a direct buffer. */
    long address(ByteBuffer buffer);

    /** Eight bytes of memory. */
    long readLong(long address);

    /** memcpy(3). */
    void copy(long from, long to, long count);
}
