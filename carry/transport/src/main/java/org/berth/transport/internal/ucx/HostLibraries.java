package org.berth.transport.internal.ucx;

import java.nio.ByteBuffer;
import org.berth.binding.discovery.Discovery;
import org.berth.binding.lwjgl.internal.HiddenClasses;
import org.berth.transport.internal.HostCalls;

/**
 * The few functions of the host's C libraries that UCX needs in addition to its own Java binding: its version before that
 * binding is loaded, and a wait for its file descriptor that ends.
 */
public final class HostLibraries {
    /** Made when it is needed first, which is where jucx is on the class path. */
    private static final class Holder {
        static final HostCalls CALLS = create();

        private static HostCalls create() {
            // LWJGL takes its native file from where the discovery has put it.
            Discovery.hwlocApiVersion();
            return HiddenClasses.create(HostCalls.class, "org.berth.transport.internal.LwjglHostCalls");
        }
    }

    /** Sets an environment variable of this process for C libraries that are loaded later, unless the user has set it. */
    void setEnvironment(String name, String value) {
        Holder.CALLS.setEnvironment(name, value);
    }

    /**
     * Loads the host's UCX.
     *
     * @return its version in three numbers ({@code ucp_get_version})
     * @throws UnsatisfiedLinkError when there is none
     */
    static int[] loadUcp() {
        return Holder.CALLS.ucpVersion();
    }

    /**
     * Prepares a worker's file descriptor for a wait ({@code ucp_worker_arm}). The Java binding throws an exception with a stack
     * trace when something has happened meanwhile, which is the usual case under load and costs more than a message.
     *
     * @param worker its native handle
     * @return 0, or a status below 0 such as UCS_ERR_BUSY
     */
    int armWorker(long worker) {
        return Holder.CALLS.armWorker(worker);
    }

    /** Waits until a file descriptor can be read (poll(2)), or for some milliseconds. */
    void waitReadable(int fileDescriptor, int timeoutMillis) {
        Holder.CALLS.waitReadable(fileDescriptor, timeoutMillis);
    }

    static long address(ByteBuffer buffer) {
        return Holder.CALLS.address(buffer);
    }

    static long readLong(long address) {
        return Holder.CALLS.readLong(address);
    }

    static void copy(long from, long to, long count) {
        Holder.CALLS.copy(from, to, count);
    }
}
