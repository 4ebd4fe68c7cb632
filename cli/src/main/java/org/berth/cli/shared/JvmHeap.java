package org.berth.cli.shared;

import java.util.Optional;
import org.berth.observation.HeapMemory;
import org.berth.observation.ObservationException;
import org.berth.observation.ProcessFacts;

/**
 * Where the heap of a running JVM lies.
 *
 * @param reason why it is unknown; empty when it is known
 */
public record JvmHeap(Optional<HeapMemory> memory, String reason) {
    /** Asks a JVM by its jcmd where its heap is, and the kernel what lies there. */
    public static JvmHeap ask(ProcessFacts process) {
        Jcmd.Answer answer = Jcmd.find().ask(process, "GC.heap_info");
        if (answer.text().isEmpty()) {
            return new JvmHeap(Optional.empty(), answer.reason());
        }
        try {
            Optional<HeapMemory> memory =
                    HeapMemory.of(process.pid(), answer.text().get());
            return new JvmHeap(memory, memory.isPresent() ? "" : "the JVM does not tell the addresses of its heap");
        } catch (ObservationException e) {
            return new JvmHeap(Optional.empty(), String.valueOf(e.getMessage()));
        }
    }
}
