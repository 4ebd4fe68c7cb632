package org.berth.transport.internal.ucx;

import java.nio.ByteBuffer;
import org.berth.binding.library.HostCalls;
import org.berth.binding.library.NativeLibrary;

/**
 * The few functions of the host's C libraries that UCX needs in addition to its own Java binding: its version before that
 * binding is loaded, and a wait for its file descriptor that ends.
 */
public final class HostLibraries {
    /**
     * Loads Berth's own library, which calls them.
     *
     * @throws org.berth.binding.errors.BindingException when this machine has none
     */
    void load() {
        NativeLibrary.load();
    }

    /** Sets an environment variable of this process for C libraries that are loaded later, unless the user has set it. */
    void setEnvironment(String name, String value) {
        HostCalls.setEnvironment(name, value);
    }

    /**
     * Loads the host's UCX.
     *
     * @return its version in three numbers ({@code ucp_get_version})
     * @throws UnsatisfiedLinkError when there is none
     */
    static int[] loadUcp() {
        return HostCalls.loadUcp();
    }

    /**
     * Prepares a worker's file descriptor for a wait ({@code ucp_worker_arm}). The Java binding throws an exception with a stack
     * trace when something has happened meanwhile, which is the usual case under load and costs more than a message.
     *
     * @param worker its native handle
     * @return 0, or a status below 0 such as UCS_ERR_BUSY
     */
    int armWorker(long worker) {
        return HostCalls.armUcxWorker(worker);
    }

    /** Waits until a file descriptor can be read (poll(2)), or for some milliseconds. */
    void waitReadable(int fileDescriptor, int timeoutMillis) {
        HostCalls.waitReadable(fileDescriptor, timeoutMillis);
    }

    static long address(ByteBuffer buffer) {
        return HostCalls.address(buffer);
    }

    static long readLong(long address) {
        return HostCalls.readLong(address);
    }

    static void copy(long from, long to, long count) {
        HostCalls.copy(from, to, count);
    }
}
