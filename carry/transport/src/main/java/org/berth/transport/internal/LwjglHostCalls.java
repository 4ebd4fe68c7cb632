package org.berth.transport.internal;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.lwjgl.system.JNI;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.system.MemoryUtil;
import org.lwjgl.system.linux.LinuxLibrary;

/** {@link HostCalls} by LWJGL's binding of libffi; the only class of the transport that uses LWJGL. */
public final class LwjglHostCalls implements HostCalls {
    private static final short POLLIN = 1;

    private final LinuxLibrary libc = new LinuxLibrary("libc.so.6");
    private final long poll = libc.getFunctionAddress("poll");
    private volatile long arm;

    @Override
    public void setEnvironment(String name, String value) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            JNI.invokePPI(
                    MemoryUtil.memAddress(stack.UTF8(name)),
                    MemoryUtil.memAddress(stack.UTF8(value)),
                    0,
                    libc.getFunctionAddress("setenv"));
        }
    }

    @Override
    public int[] ucpVersion() {
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

    @Override
    public int armWorker(long worker) {
        long function = arm;
        if (function == 0) {
            function = new LinuxLibrary("libucp.so.0").getFunctionAddress("ucp_worker_arm");
            arm = function;
        }
        // Of the C type ucs_status_t, an enumeration in one signed byte.
        return (byte) JNI.invokePI(worker, function);
    }

    @Override
    public void waitReadable(int fileDescriptor, int timeoutMillis) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            // By its address: a buffer would be an object for each wait.
            long request = stack.ncalloc(Integer.BYTES, 1, 8);
            MemoryUtil.memPutInt(request, fileDescriptor);
            MemoryUtil.memPutShort(request + 4, POLLIN);
            JNI.invokePNI(request, 1L, timeoutMillis, poll);
        }
    }

    @Override
    public long address(ByteBuffer buffer) {
        return MemoryUtil.memAddress(buffer, 0);
    }

    @Override
    public long readLong(long address) {
        return MemoryUtil.memGetLong(address);
    }

    @Override
    public void copy(long from, long to, long count) {
        MemoryUtil.memCopy(from, to, count);
    }
}
