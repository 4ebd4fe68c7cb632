package org.berth.experiments;

import java.io.FileInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * What a process has in RAM now: {@code VmRSS} of {@code /proc/PID/status}, one small read. The exact number that
 * leaves shared pages out ({@code Pss} of smaps_rollup) has the kernel walk all page tables and hold up the process
 * meanwhile.
 *
 * @see <a href="https://man7.org/linux/man-pages/man5/proc_pid_status.5.html">proc_pid_status(5)</a>
 */
final class ResidentMemory {
    private static final String KEY = "\nVmRSS:";
    private static final long KIBIBYTE = 1024;

    private ResidentMemory() {}

    /** 0 for a process that has ended or that the kernel hides from this user (hidepid), and for kernel threads. */
    static long bytes(long pid) {
        // Not Files.readString, which fails on a thread that was interrupted.
        try (FileInputStream in = new FileInputStream("/proc/" + pid + "/status")) {
            return bytes(new String(in.readAllBytes(), StandardCharsets.ISO_8859_1));
        } catch (IOException endedOrHidden) {
            return 0;
        }
    }

    /** Names of processes come first in the text, with their line ends escaped. */
    static long bytes(String status) {
        int key = status.indexOf(KEY);
        int end = key < 0 ? -1 : status.indexOf(" kB", key);
        if (end < 0) {
            return 0;
        }
        String number = status.substring(key + KEY.length(), end).strip();
        return number.matches("[0-9]+") ? Long.parseLong(number) * KIBIBYTE : 0;
    }
}
