package org.berth.observation.internal.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import org.berth.observation.ChildProgram;
import org.berth.oracle.Child;
import org.berth.oracle.Machine;
import org.berth.oracle.ProcStatus;
import org.berth.oracle.Tool;
import org.junit.jupiter.api.Test;

class JavaThreadTest {
    /** Lines of jcmd Thread.print of JDK 17.0.19 and Temurin 25.0.1, stacks left out but for one line. */
    private static final String JDK_17 = """
            1505:
            2026-11-21 10:12:01
            Full thread dump OpenJDK 64-Bit Server VM (17.0.19+10 mixed mode, sharing):

            "main" #1 prio=5 os_prio=0 cpu=330.59ms elapsed=5.36s tid=0x00007fd0d0018060 nid=0x5e1 waiting on condition  [0x00007fd0d81fe000]
               java.lang.Thread.State: TIMED_WAITING (sleeping)
            \tat java.lang.Thread.sleep(java.base@17.0.19/Native Method)
            "a rather long worker name-0" #12 daemon prio=5 os_prio=0 cpu=0.05ms elapsed=3.93s tid=0x00007fd0d038f5d0 nid=0x613 waiting on condition  [0x00007fd0cfffe000]
            "G1 Refine#1" os_prio=0 cpu=0.03ms elapsed=4.52s tid=0x00007fd0a4000ea0 nid=0x60d runnable\s\s
            """;

    private static final String JDK_25 = """
            "main" #3 [1635] prio=5 os_prio=0 cpu=323.85ms elapsed=5.47s tid=0x00007f476c02aae0 nid=1635 waiting on condition  [0x00007f47727fe000]
            "a rather long worker name-0" #22 [1654] daemon prio=5 os_prio=0 cpu=0.27ms elapsed=4.17s tid=0x00007f476c32d310 nid=1654 waiting on condition  [0x00007f4770ca9000]
            "unstarted" #40 prio=5 os_prio=0 cpu=0.00ms elapsed=4.17s tid=0x00007f476c32d310 nid=NA new
            "GC Thread#1" os_prio=0 cpu=3.39ms elapsed=4.59s tid=0x00007f472c006290 nid=1653 runnable\s\s
            """;

    /** What a JVM puts behind a carriage return is no thread: it would get the place of one. */
    @Test
    void aCarriageReturnInANameBeginsNoThread() {
        String head = " #9 prio=5 os_prio=0 cpu=1ms elapsed=1s tid=0x00007f0000000000 nid=0x1 runnable  [0x0]";
        assertThat(JavaThread.parse(JDK_17 + "\"x\r\"worker-9\"" + head + head + "\n" + JDK_17))
                .hasSize(6)
                .noneMatch(thread -> thread.name().contains("worker-9"));
    }

    @Test
    void readsHexadecimalIds() {
        assertThat(JavaThread.parse(JDK_17))
                .containsExactly(
                        new JavaThread("main", 0x5e1),
                        new JavaThread("a rather long worker name-0", 0x613),
                        new JavaThread("G1 Refine#1", 0x60d));
    }

    @Test
    void readsDecimalIds() {
        assertThat(JavaThread.parse(JDK_25))
                .containsExactly(
                        new JavaThread("main", 1635),
                        new JavaThread("a rather long worker name-0", 1654),
                        new JavaThread("GC Thread#1", 1653));
    }

    @Test
    void aNameMayLookLikeAHead() {
        String name = "say \"hi\" #7 prio=1 nid=0x1 now";
        assertThat(JavaThread.parse("\"" + name
                        + "\" #12 prio=5 os_prio=0 cpu=0.05ms elapsed=3.93s tid=0x00007f nid=0x613 runnable"))
                .containsExactly(new JavaThread(name, 0x613));
    }

    @Test
    void namesTheThreadsOfALivingJvm() {
        try (Child child = ChildProgram.start(Machine.cpuList(), "sleep")) {
            String jcmd = System.getProperty("java.home") + "/bin/jcmd";
            var threads = JavaThread.parse(Tool.output(jcmd, Long.toString(child.pid()), "Thread.print"));
            for (JavaThread thread : threads) {
                String kernel = ProcStatus.of(child.pid(), thread.innerTid()).name();
                // The launcher names the main thread before Java does.
                assertThat(kernel.equals("java") ? "java" + thread.name() : thread.name())
                        .startsWith(kernel);
            }
            assertThat(threads).extracting(JavaThread::name).contains("main", "a sleeper (odd) name", "VM Thread");
        }
    }
}
