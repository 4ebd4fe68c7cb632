package org.berth.observation.memory;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The addresses that a HotSpot JVM reserved for its heap, by the tables that libjvm.so exports for debuggers ({@code vmStructs.hpp}): the
 * JVM is not asked, so nothing is started, and no thread of it does anything. ZGC has no such range.
 *
 * @param end the first address behind it
 */
record HeapRange(long start, long end) {
    /**
     * Reads it.
     *
     * @param library where the first byte of libjvm.so is mapped
     * @return empty while the JVM has no heap yet
     * @throws IOException if the memory may not be read, or the JVM has no such tables (it is not HotSpot)
     */
    static Optional<HeapRange> of(Path process, long library) throws IOException {
        try (JvmMemory memory = new JvmMemory(process)) {
            VmStructs structs = VmStructs.of(memory, library);
            long heap = memory.word(structs.field("Universe", "_collectedHeap", VmStructs.ADDRESS));
            if (heap == 0) {
                return Optional.empty();
            }
            long reserved = heap + structs.field("CollectedHeap", "_reserved", VmStructs.OFFSET);
            long start = memory.word(reserved + structs.field("MemRegion", "_start", VmStructs.OFFSET));
            long words = memory.word(reserved + structs.field("MemRegion", "_word_size", VmStructs.OFFSET));
            return start == 0 || words == 0
                    ? Optional.empty()
                    : Optional.of(new HeapRange(start, start + words * Long.BYTES));
        }
    }
}
