package org.berth.binding.internal;

import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** The functions that libberth.so registers, as it expects them. The real class is in the binding, above this module. */
public final class NativeBridge {
    private NativeBridge() {}

    public static native int version();

    public static native int setThreadCpus(int tid, long[] mask);

    public static native int setThreadCpus(int tid, long word);

    public static native int getThreadCpus(int tid, long[] mask);

    public static native int currentThreadId();

    public static native int javaThreadId(Thread thread);

    public static native int currentCpu();

    public static native int incomingCpu(SocketChannel channel);

    public static native int setMemoryPolicy(int mode, long[] nodes);

    public static native int getMemoryPolicy(long[] nodes);

    public static native int bindRange(long address, long lengthBytes, int mode, long[] nodes, int flags);

    public static native int rangeNodes(long address, long lengthBytes, int[] nodes);

    public static native int rangePolicy(long address, long lengthBytes, long[] nodes);

    public static native long mapMemory(long lengthBytes);

    public static native int discardMemory(long address, long lengthBytes);

    public static native int adviseHugePages(long address, long lengthBytes);

    public static native int unmapMemory(long address, long lengthBytes);

    public static native ByteBuffer bufferOver(long address, int lengthBytes);

    public static native int pageBytes();

    public static native int migratePages(int pid, long[] from, long[] to);

    public static native long directBufferAddress(ByteBuffer buffer);

    public static native int claimLease(byte[] directory, String plan, boolean exclusive, byte[] name, byte[] reply);

    public static native int claimDomain(
            byte[] directory, String kind, int number, boolean exclusive, byte[] name, byte[] reply);

    public static native int releaseLease(int lease);

    public static native int leaveCrowd(int lease, byte[] reply);

    public static native int ledgerView(byte[] directory, byte[] reply);

    public static native int listLeases(byte[] directory, byte[] reply);

    public static native int leaseDirectory(byte[] reply);

    public static native int agentCommand(String command, byte[] reply);

    public static native byte[] describeMachine(byte[][] texts, long flags, int pid);

    public static native int hwlocVersion(byte[] library, byte[] reason);

    public static native int ucpVersion(byte[] reason);

    public static native int armUcxWorker(long worker);

    public static native int setEnvironment(byte[] name, byte[] value);

    public static native int pollReadable(int fileDescriptor, int timeoutMillis);

    public static native long readLong(long address);

    public static native void copyMemory(long from, long to, long byteCount);

    public static native int hookExits(Runnable hook);

    public static native int holdDomain(long[] cpus, int newborns);

    public static native void releaseDomain();

    public static native int libraryLoads();
}
