package org.berth.hdfs;

import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.management.JMException;
import javax.management.ObjectName;
import org.berth.oracle.Await;
import org.berth.oracle.ChildJvm;
import org.berth.oracle.ProcStatus;
import org.berth.oracle.Tool;

/** Threads of another process, by jcmd (whole names) and /proc (masks): nothing of what is tested takes part. */
final class NamedThreads {
    /** The kernel's id is hexadecimal on 17 and decimal on 25. */
    private static final Pattern THREAD = Pattern.compile("^\"(.*)\" .*nid=(0x[0-9a-f]+|[0-9]+) .*");

    private NamedThreads() {}

    /** Kernel's thread ids by whole name. */
    static Map<String, Integer> names(ProcessHandle process) {
        return names(Tool.output(
                ChildJvm.JAVA.resolveSibling("jcmd").toString(),
                "-J-Dsun.tools.attach.attachTimeout=60000",
                Long.toString(process.pid()),
                "Thread.print"));
    }

    /**
     * The same of this process, without jcmd: JDK 25 writes a long answer while all threads stand still, also the one that is
     * to read it.
     */
    static Map<String, Integer> ownNames() throws JMException {
        return names((String) ManagementFactory.getPlatformMBeanServer()
                .invoke(
                        new ObjectName("com.sun.management:type=DiagnosticCommand"),
                        "threadPrint",
                        new Object[] {new String[0]},
                        new String[] {String[].class.getName()}));
    }

    private static Map<String, Integer> names(String text) {
        Map<String, Integer> names = new HashMap<>();
        for (String line : text.split("\n", -1)) {
            Matcher thread = THREAD.matcher(line);
            if (thread.matches()) {
                names.put(thread.group(1), Integer.decode(thread.group(2)));
            }
        }
        if (names.isEmpty()) {
            throw new AssertionError("no threads in " + text);
        }
        return names;
    }

    /**
     * The names once this number of threads receive blocks, and as many answer for them: those of the blocks before end a moment
     * after their blocks.
     */
    static Map<String, Integer> whileReceiving(int threads, Callable<Map<String, Integer>> look) {
        Map<String, Integer> names = new HashMap<>();
        Await.until("threads of the blocks on their way alone", () -> {
            names.clear();
            names.putAll(look.call());
            return count(names, "[Receiving block ") == threads && count(names, "PacketResponder") == threads;
        });
        return names;
    }

    private static long count(Map<String, Integer> names, String part) {
        return names.keySet().stream().filter(name -> name.contains(part)).count();
    }

    /** The affinity mask of a thread; empty when it has ended. */
    static String mask(ProcessHandle process, int tid) {
        return ProcStatus.find(process.pid(), tid).map(ProcStatus::cpus).orElse("");
    }
}
