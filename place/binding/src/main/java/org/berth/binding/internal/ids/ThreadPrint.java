package org.berth.binding.internal.ids;

import java.lang.management.ManagementFactory;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.berth.binding.errors.BindingException;
import org.berth.topology.FailureKind;

/**
 * Kernel ids of threads from the list that {@code jcmd PID Thread.print} prints, for a JVM whose structures are not
 * known: slower by a factor of a thousand, and at a safepoint.
 *
 * <p>Only here is the module java.management used; without it this class does not load (NoClassDefFoundError).
 */
final class ThreadPrint {
    private ThreadPrint() {}

    /**
     * The kernel id of a Java thread; 0 when it is not in the list.
     *
     * @throws BindingException when there is no such list, or several threads in it look like this one
     */
    static int find(Thread thread) {
        return find(list(), thread.getName(), thread.getId());
    }

    /** In 17 and later: {@code "name" #12 [4711] daemon prio=5 ... tid=0x... nid=0x1267 runnable}, from 22 on decimal. */
    static int find(String list, String name, long javaId) {
        Matcher header = Pattern.compile(
                        "^" + Pattern.quote("\"" + name + "\" #" + javaId + " ") + ".* nid=(0x[0-9a-f]+|[0-9]+) ",
                        Pattern.MULTILINE)
                .matcher(list);
        if (!header.find()) {
            return 0;
        }
        int tid = Integer.decode(header.group(1));
        if (header.find()) {
            // A name may hold anything, also the line of another thread.
            throw BindingException.of(
                    FailureKind.FAILED,
                    "find",
                    "the kernel id of thread " + name,
                    "",
                    "Thread.print lists it twice",
                    "give it another name");
        }
        return tid;
    }

    /** @throws BindingException when the JVM has no such list */
    static String list() {
        MBeanServer server = ManagementFactory.getPlatformMBeanServer();
        try {
            Object list = server.invoke(
                    new ObjectName("com.sun.management:type=DiagnosticCommand"),
                    "threadPrint",
                    new Object[] {new String[0]},
                    new String[] {String[].class.getName()});
            return String.valueOf(list);
        } catch (JMException | RuntimeException e) {
            throw BindingException.of(
                    FailureKind.UNAVAILABLE,
                    "call",
                    "the diagnostic command Thread.print",
                    String.valueOf(e.getMessage()),
                    "a JRE made by jlink needs the modules jdk.management and jdk.jfr for it",
                    e);
        }
    }
}
