package org.berth.cli.shared.jvm;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.berth.observation.internal.jvm.JavaThread;
import org.berth.observation.internal.process.ProcessFacts;
import org.berth.text.ForeignText;

/**
 * The names of a process' threads: complete ones if its JVM provides them, otherwise the 15 bytes that the kernel keeps.
 *
 * @param complete complete names by thread id in this PID namespace
 * @param kernel the kernel's names of all threads
 * @param missing why complete names are unknown; empty when they are known
 */
public record ThreadNames(Map<Integer, String> complete, Map<Integer, String> kernel, String missing) {
    /** The names of all threads of a process; asks its JVM by jcmd. */
    public static ThreadNames of(ProcessFacts process, Jcmd jcmd) {
        Jcmd.Answer answer = jcmd.ask(process, "Thread.print");
        Optional<String> text = answer.text();
        if (text.isEmpty()) {
            return new ThreadNames(Map.of(), process.names(), answer.reason());
        }
        Map<Integer, String> complete = byKnownId(text.get(), process.innerIds());
        return new ThreadNames(complete, process.names(), complete.isEmpty() ? "jcmd listed no thread" : "");
    }

    /** The JVM prints ids of its own PID namespace, for example a container's. */
    public static Map<Integer, String> byKnownId(String threadPrint, Map<Integer, Integer> innerIds) {
        Map<Integer, Integer> known = new TreeMap<>();
        innerIds.forEach((tid, inner) -> known.put(inner, tid));
        Map<Integer, String> names = new TreeMap<>();
        for (JavaThread thread : JavaThread.parse(threadPrint)) {
            Integer tid = known.get(thread.innerTid());
            if (tid != null) {
                names.put(tid, ForeignText.clean(thread.name()));
            }
        }
        return names;
    }
}
