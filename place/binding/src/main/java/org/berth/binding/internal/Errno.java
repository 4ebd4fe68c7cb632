package org.berth.binding.internal;

import java.util.Map;

/** Symbolic names of the Linux error numbers that the calls of this package can give (errno(3)). */
public final class Errno {
    public static final int EPERM = 1;
    public static final int ENOENT = 2;
    public static final int ESRCH = 3;
    public static final int EIO = 5;
    public static final int EAGAIN = 11;
    public static final int ENOMEM = 12;
    public static final int EACCES = 13;
    public static final int EBUSY = 16;
    public static final int EFAULT = 14;
    public static final int EXDEV = 18;
    public static final int EINVAL = 22;
    public static final int EBADF = 9;
    public static final int ENOSYS = 38;
    public static final int ENODATA = 61;
    public static final int ENOPROTOOPT = 92;
    public static final int ENOBUFS = 105;
    public static final int EOPNOTSUPP = 95;
    public static final int ETIMEDOUT = 110;

    // The numbers are the same on x86_64, aarch64, ppc64le and riscv64.
    private static final Map<Integer, String> NAMES = Map.ofEntries(
            Map.entry(EPERM, "EPERM (operation not permitted)"),
            Map.entry(ENOENT, "ENOENT (no such file)"),
            Map.entry(ESRCH, "ESRCH (no such process or thread)"),
            Map.entry(EIO, "EIO (input or output error)"),
            Map.entry(7, "E2BIG (list too long)"),
            Map.entry(EBADF, "EBADF (not open)"),
            Map.entry(EAGAIN, "EAGAIN (try again)"),
            Map.entry(ENOMEM, "ENOMEM (out of memory)"),
            Map.entry(EACCES, "EACCES (permission denied)"),
            Map.entry(EFAULT, "EFAULT (bad address)"),
            Map.entry(EBUSY, "EBUSY (busy)"),
            Map.entry(EXDEV, "EXDEV (not all alike)"),
            Map.entry(EINVAL, "EINVAL (invalid argument)"),
            Map.entry(ENOSYS, "ENOSYS (this kernel has no such call)"),
            Map.entry(ENODATA, "ENODATA (nothing there)"),
            Map.entry(ENOPROTOOPT, "ENOPROTOOPT (this kernel has no such option)"),
            Map.entry(EOPNOTSUPP, "EOPNOTSUPP (not supported)"));

    private Errno() {}

    public static String describe(int errno) {
        String name = NAMES.get(errno);
        return name != null ? name : "error " + errno;
    }
}
