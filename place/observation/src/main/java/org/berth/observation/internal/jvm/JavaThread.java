package org.berth.observation.internal.jvm;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A thread as its own JVM knows it: the complete name, where the kernel keeps 15 bytes.
 *
 * @param name the name of the Java thread, or of one of the JVM's own ("GC Thread#0")
 * @param innerTid the kernel's thread id as the JVM sees it, in its own PID namespace
 * @since 0.1.0
 */
public record JavaThread(String name, int innerTid) {
    /**
     * The id is hexadecimal up to JDK 20 (nid=0x1f) and decimal from 21 on, where #12 [31] may stand before it. A name may hold
     * line breaks and all of this, with any number; the kernel's ids are below 2^22.
     */
    private static final Pattern HEAD = Pattern.compile(
            "^\"(.*)\" (?:#\\d+ )?(?:\\[\\d+] )?(?:daemon )?(?:prio=|os_prio=).* nid=(0x[0-9a-f]{1,7}|\\d{1,9}) .*$");

    /**
     * The threads in what {@code jcmd PID Thread.print} prints; those that have no thread of the kernel are left out.
     * A name with line breaks cannot be told from the rest and is left out too.
     */
    public static List<JavaThread> parse(String threadPrint) {
        List<JavaThread> threads = new ArrayList<>();
        // Not lines(): a carriage return in a name would begin a line that looks like another thread.
        for (String line : threadPrint.split("\n", -1)) {
            Matcher head = HEAD.matcher(line + " ");
            if (head.matches()) {
                threads.add(new JavaThread(head.group(1), id(head.group(2))));
            }
        }
        return threads;
    }

    private static int id(String text) {
        return text.startsWith("0x") ? Integer.parseInt(text.substring(2), 16) : Integer.parseInt(text);
    }
}
