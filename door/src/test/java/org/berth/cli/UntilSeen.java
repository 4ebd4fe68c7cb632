package org.berth.cli;

import org.berth.oracle.ProcStatus;

/**
 * Work that lasts until the command that watches it has looked often enough, however slow the machine is: the first JVM
 * above the work is that command, and its main thread, which has the launcher's name, waits before each look. It waits
 * for other things too, mostly several times at once, so what it waited in one moment counts as one look.
 */
public final class UntilSeen {
    private static final String SCRIPT = """
            jvm=$PPID
            until read -r name </proc/$jvm/comm && [ "$name" = java ]; do
              read -r pid name state jvm others </proc/$jvm/stat
            done
            count() {
              waits=0
              for task in /proc/$jvm/task/*; do
                { read -r name <$task/comm; } 2>/dev/null || continue
                [ "$name" = java ] || continue
                while read -r key number; do
                  case $key in voluntary_*) waits=$((waits+number)) ;; esac
                done <$task/status
              done
            }
            looks=0
            count
            while [ $looks -lt @LOOKS@ ]; do
              before=$waits
              work=0
              while [ $work -lt 10000 ]; do work=$((work+1)); done
              count
              [ $waits -eq $before ] || looks=$((looks+1))
            done
            """;

    private UntilSeen() {}

    /** For sh(1). */
    public static String script(int looks) {
        return SCRIPT.replace("@LOOKS@", Integer.toString(looks));
    }

    /** For a JVM of ours, whose other threads work meanwhile. */
    public static void await(int looks) throws InterruptedException {
        long before = waits();
        for (int seen = 0; seen < looks; ) {
            Thread.sleep(20);
            long now = waits();
            seen += now == before ? 0 : 1;
            before = now;
        }
    }

    /** How often the main thread of the first JVM above this one has waited. */
    private static long waits() {
        return ProcStatus.threads(jvmAbove()).stream()
                .filter(thread -> thread.name().equals("java"))
                .mapToLong(thread -> Long.parseLong(thread.field("voluntary_ctxt_switches")))
                .sum();
    }

    private static long jvmAbove() {
        ProcessHandle process = ProcessHandle.current().parent().orElseThrow();
        while (!ProcStatus.of(process.pid()).name().equals("java")) {
            process = process.parent().orElseThrow();
        }
        return process.pid();
    }
}
