package org.berth.observation.internal.process;

import org.berth.observation.Reading;
import org.berth.observation.SystemFiles;

/**
 * The PID namespace of this process, in which a container has its own numbers of processes and does not see those of the host.
 * Thread-safe.
 *
 * @see <a href="https://man7.org/linux/man-pages/man7/pid_namespaces.7.html">pid_namespaces(7)</a>
 * @since 0.1.0
 */
public final class PidNamespace {
    /** That of the host (PROC_PID_INIT_INO of include/linux/proc_ns.h). */
    private static final long FIRST = 4_026_531_836L;

    private PidNamespace() {}

    /** Its number, by which the kernel tells namespaces apart; absent where the kernel has none, and on a recorded machine. */
    public static Reading<Long> number(SystemFiles files) {
        return files.link("proc/self/ns/pid")
                .map(target -> target.replaceAll("\\D", ""))
                .flatMap(digits -> digits.isEmpty()
                        ? Reading.absent("/proc/self/ns/pid has no number")
                        : Reading.of(Long.valueOf(digits)));
    }

    /** Whether it is that of the host, which shows all processes. */
    public static Reading<Boolean> isOfHost(SystemFiles files) {
        return number(files).map(number -> number == FIRST).ifAbsent(Reading.of(true));
    }
}
