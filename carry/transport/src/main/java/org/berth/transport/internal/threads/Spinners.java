package org.berth.transport.internal.threads;

import java.lang.System.Logger;
import java.util.concurrent.atomic.AtomicInteger;
import org.berth.transport.progress.WaitMode;
import org.berth.transport.settings.TransportSettings;

/**
 * Counts the threads of this process that spin. They may never take the last CPU that the process has: its lease, its CPU set and
 * its quota, which the JVM knows as its available processors.
 */
public final class Spinners {
    private static final Logger LOG = System.getLogger(Spinners.class.getName());
    private static final AtomicInteger SPINNING = new AtomicInteger();

    private Spinners() {}

    /** The wait mode of the settings; event in place of spin when there are too few CPUs, and a line tells so. */
    public static WaitMode allowed(TransportSettings settings) {
        if (settings.waitMode() != WaitMode.SPIN) {
            return settings.waitMode();
        }
        int cpus = Runtime.getRuntime().availableProcessors();
        int spinning = SPINNING.addAndGet(settings.threads());
        if (spinning < cpus) {
            return WaitMode.SPIN;
        }
        SPINNING.addAndGet(-settings.threads());
        LOG.log(
                Logger.Level.WARNING,
                "berth: progress threads of " + settings.name() + " do not spin (wait=spin): " + spinning
                        + " spinning threads would leave none of this process's " + cpus
                        + " CPUs to work; they wait for events");
        return WaitMode.EVENT;
    }

    /** A thread has ended. */
    static void ended(WaitMode mode) {
        if (mode == WaitMode.SPIN) {
            SPINNING.decrementAndGet();
        }
    }
}
