package org.berth.cli.shared.jvm;

import org.berth.observation.ObservationException;
import org.berth.observation.Reading;
import org.berth.observation.Refusal;
import org.berth.observation.internal.process.ProcessFacts;
import org.berth.observation.memory.HeapMemory;

/** The location of the heap of a running JVM. */
public final class JvmHeap {
    private JvmHeap() {}

    /** Asks a JVM by its jcmd where its heap is, and the kernel what lies there. */
    public static Reading<HeapMemory> ask(ProcessFacts process) {
        Jcmd.Answer answer = Jcmd.find().ask(process, "GC.heap_info");
        if (answer.text().isEmpty()) {
            return unknown(answer.reason());
        }
        try {
            return HeapMemory.of(process.pid(), answer.text().get())
                    .map(Reading::of)
                    .orElseGet(() -> unknown("the JVM does not expose the addresses of its heap"));
        } catch (ObservationException e) {
            return unknown(String.valueOf(e.getMessage()));
        }
    }

    private static Reading<HeapMemory> unknown(String reason) {
        return Reading.refused(new Refusal(reason, ""));
    }
}
