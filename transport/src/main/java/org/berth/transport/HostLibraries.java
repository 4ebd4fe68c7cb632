package org.berth.transport;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.lwjgl.system.JNI;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.system.MemoryUtil;
import org.lwjgl.system.linux.LinuxLibrary;

/**
 * The few functions of the host's C libraries that UCX needs in addition to its own Java binding: its version before that
 * binding is loaded, and a wait for its file descriptor that ends.
 */
final class HostLibraries {
    private static final short POLLIN = 1;

    private final LinuxLibrary libc = new LinuxLibrary("libc.so.6");
    private final long poll = libc.getFunctionAddress("poll");
    private volatile long arm;

    /** Sets an environment variable of this process for C libraries that are loaded later, unless the user has set it. */
    void setEnvironment(String name, String value) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            JNI.invokePPI(
                    MemoryUtil.memAddress(stack.UTF8(name)),
                    MemoryUtil.memAddress(stack.UTF8(value)),
                    0,
                    libc.getFunctionAddress("setenv"));
        }
    }

    /**
     * Loads the host's UCX.
     *
     * @return its version in three numbers ({@code ucp_get_version})
     * @throws UnsatisfiedLinkError when there is none
     */
    static int[] loadUcp() {
        LinuxLibrary ucp = new LinuxLibrary("libucp.so.0");
        try (MemoryStack stack = MemoryStack.stackPush()) {
            ByteBuffer numbers = stack.calloc(3 * Integer.BYTES).order(ByteOrder.nativeOrder());
            long address = MemoryUtil.memAddress(numbers);
            JNI.invokePPPV(
                    address,
                    address + Integer.BYTES,
                    address + 2 * Integer.BYTES,
                    ucp.getFunctionAddress("ucp_get_version"));
            return new int[] {numbers.getInt(0), numbers.getInt(4), numbers.getInt(8)};
        }
    }

    /**
     * Prepares a worker's file descriptor for a wait ({@code ucp_worker_arm}). The Java binding throws an exception with a stack
     * trace when something has happened meanwhile, which is the usual case under load and costs more than a message.
     *
     * @param worker its native handle
     * @return 0, or a status below 0 such as UCS_ERR_BUSY
     */
    int armWorker(long worker) {
        long function = arm;
        if (function == 0) {
            function = new LinuxLibrary("libucp.so.0").getFunctionAddress("ucp_worker_arm");
            arm = function;
        }
        // Of the C type ucs_status_t, an enumeration in one signed byte.
        return (byte) JNI.invokePI(worker, function);
    }

    /** Waits until a file descriptor can be read (poll(2)), or for some milliseconds. */
    void waitReadable(int fileDescriptor, int timeoutMillis) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            ByteBuffer request = stack.calloc(8).order(ByteOrder.nativeOrder());
            request.putInt(0, fileDescriptor).putShort(4, POLLIN);
            JNI.invokePNI(MemoryUtil.memAddress(request), 1L, timeoutMillis, poll);
        }
    }

    static long address(ByteBuffer buffer) {
        return MemoryUtil.memAddress(buffer, 0);
    }

    static long readLong(long address) {
        return MemoryUtil.memGetLong(address);
    }

    static void copy(long from, long to, long count) {
        MemoryUtil.memCopy(from, to, count);
    }
}
