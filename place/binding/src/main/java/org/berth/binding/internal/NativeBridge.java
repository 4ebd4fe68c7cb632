package org.berth.binding.internal;

import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/**
 * The functions of libberth.so; not part of the API. Each returns a value of 0 or more, or -errno. A tid of 0 is the
 * calling thread. Masks are little-endian 64-bit words: CPU or node n is bit n % 64 of word n / 64.
 *
 * <p>The library registers them when it is loaded; {@code org.berth.binding.internal.library.NativeLibrary} does that.
 */
public final class NativeBridge {
    /** The value of {@link #version()} that this class belongs to. */
    public static final int VERSION = 10;

    private NativeBridge() {}

    /** Version of this interface. */
    public static native int version();

    /** sched_setaffinity(2). */
    public static native int setThreadCpus(int tid, long[] mask);

    /** The same for a mask of one word, which most machines have: without the cost of an array. */
    public static native int setThreadCpus(int tid, long word);

    /** sched_getaffinity(2); fills the mask and gives the number of words used; EINVAL when it is too short. */
    public static native int getThreadCpus(int tid, long[] mask);

    /** gettid(2). */
    public static native int currentThreadId();

    /**
     * The kernel's id of any Java platform thread, read from the JVM's own structures; 0 when it does not live. ENOENT:
     * the JVM does not export their layout; EOPNOTSUPP: the layout is unknown; EFAULT: it is wrong.
     */
    public static native int javaThreadId(Thread thread);

    /** sched_getcpu(3). */
    public static native int currentCpu();

    /**
     * SO_INCOMING_CPU of a connection. ENODATA: no packet has come; ENOPROTOOPT: the kernel is older than 3.19; EBADF:
     * closed; EOPNOTSUPP: not a channel of the JDK.
     */
    public static native int incomingCpu(SocketChannel channel);

    /** set_mempolicy(2) for the calling thread; mode is a MPOL_ value. */
    public static native int setMemoryPolicy(int mode, long[] nodes);

    /** get_mempolicy(2) of the calling thread; gives the mode and fills the nodes. */
    public static native int getMemoryPolicy(long[] nodes);

    /** mbind(2); flags: 1 strict, 2 move present pages. */
    public static native int bindRange(long address, long lengthBytes, int mode, long[] nodes, int flags);

    /** move_pages(2) as a question: for each page its node or -errno; gives the number of pages. */
    public static native int rangeNodes(long address, long lengthBytes, int[] nodes);

    /** get_mempolicy(2) of every page; gives the mode and fills the nodes; EXDEV when pages have different ones. */
    public static native int rangePolicy(long address, long lengthBytes, long[] nodes);

    /** mmap(2) of private memory that no thread has touched; gives its address. */
    public static native long mapMemory(long lengthBytes);

    /** madvise(2) with MADV_DONTNEED: the pages are given back, and the addresses stay. */
    public static native int discardMemory(long address, long lengthBytes);

    /** madvise(2) with MADV_HUGEPAGE. */
    public static native int adviseHugePages(long address, long lengthBytes);

    /** munmap(2). */
    public static native int unmapMemory(long address, long lengthBytes);

    /** A direct buffer over such memory; null when the JVM refuses. It does not own the memory. */
    public static native @Nullable ByteBuffer bufferOver(long address, int lengthBytes);

    /** sysconf(_SC_PAGESIZE). */
    public static native int pageBytes();

    /** migrate_pages(2); gives the number of pages that could not be moved. */
    public static native int migratePages(int pid, long[] from, long[] to);

    /** Address of a direct buffer's first byte, 0 for any other buffer. */
    public static native long directBufferAddress(ByteBuffer buffer);

    /**
     * A lease for a worker of a plan that is used least; gives its number, which stays open until it is released. The
     * reply is a line "warning TEXT" and the lease as text, or the reason as one line; both end with a zero byte.
     */
    public static native int claimLease(byte[] directory, String plan, boolean exclusive, byte[] name, byte[] reply);

    /**
     * A lease for a domain: "numa", "package", "l3", "core:K" or "cpus:LIST", of the CPUs that the first thread may use; its number
     * or, below 0, the one that is used least. Gives the same as {@link #claimLease}.
     */
    public static native int claimDomain(
            byte[] directory, String kind, int number, boolean exclusive, byte[] name, byte[] reply);

    /** Releases a lease. */
    public static native int releaseLease(int lease);

    /**
     * Moves a lease when processes that do not see it use its CPUs while others are idle: 1, with the same reply as claimLease; else 0.
     * Waits a second at most.
     */
    public static native int leaveCrowd(int lease, byte[] reply);

    /** A number of ledger_view.h: 0 when all processes of this host see this directory; the reply is why not, and the remedy. */
    public static native int ledgerView(byte[] directory, byte[] reply);

    /** "unreadable N" and the text of every lease that is held; gives its length, or the reason as claimLease. */
    public static native int listLeases(byte[] directory, byte[] reply);

    /** From BERTH_LEASES, or the usual one; gives the length of the path. */
    public static native int leaseDirectory(byte[] reply);

    /** "status", or "rules" followed by a plan; gives the length of the reply. */
    public static native int agentCommand(String command, byte[] reply);

    /**
     * A machine as hwloc describes it. The texts end without a zero byte; lists have one item in each line.
     *
     * @param texts hwloc's file; types of objects with the numbers of their filters; components that are left out; environment
     *     variables that hwloc is not to see; and the description of a synthetic machine, or null for this one
     * @param flags of hwloc_topology_flags_e
     * @param pid the process that sees the machine; 0 for this one
     * @return a letter of hwloc_outcome, followed by XML or the reason
     */
    public static native byte[] describeMachine(byte[] @Nullable [] texts, long flags, int pid);

    /** hwloc_get_api_version; or the reason, which ends with a zero byte. */
    public static native int hwlocVersion(byte[] library, byte[] reason);

    /** Loads the host's UCX: ucp_get_version as 0xMMmmrr; ENOENT: the reason, which ends with a zero byte. */
    public static native int ucpVersion(byte[] reason);

    /** ucp_worker_arm: 0, or a status of UCX below 0. */
    public static native int armUcxWorker(long worker);

    /** setenv(3), which leaves a variable that is set. */
    public static native int setEnvironment(byte[] name, byte[] value);

    /** poll(2) for one file descriptor that can be read. */
    public static native int pollReadable(int fileDescriptor, int timeoutMillis);

    /** Eight bytes of memory, in the order of the processor. */
    public static native long readLong(long address);

    /** memcpy(3). */
    public static native void copyMemory(long from, long to, long byteCount);

    /**
     * Calls a Runnable at the start of each Runtime.exit and Runtime.halt, in the same thread; what it throws, they throw. Once only
     * for each JVM. ENOTSUP: the JVM does not let the method be replaced that both call first.
     */
    public static native int hookExits(Runnable hook);

    /**
     * Tells the JVM that a domain is all that there is for it: {@code Runtime.availableProcessors()} is that of a thread with these CPUs
     * in every thread. Processes that a thread with fewer of them starts, and native libraries that it loads, have them all. Again
     * after each change of the domain.
     *
     * @param newborns 1: threads that appear in such a thread have the domain within 40 ms; 3: Java threads at their birth, and
     *     JVMTI then slows virtual threads down; 0: they inherit
     * @return the number of processors in the low 16 bits, 0x10000 where new processes have the domain, 0x20000 where libraries have it;
     *     ENOENT, EOPNOTSUPP, EPERM: the JVM does not let the number be set
     */
    public static native int holdDomain(long[] cpus, int newborns);

    /** Takes {@link #holdDomain} back. */
    public static native void releaseDomain();

    /** The number of shared libraries that this process has loaded in its life; 0 when the C library does not count them. */
    public static native int libraryLoads();
}
