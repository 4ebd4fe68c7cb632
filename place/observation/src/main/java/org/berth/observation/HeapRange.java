package org.berth.observation;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The addresses that a HotSpot JVM reserved for its heap, by the tables that libjvm.so exports for debuggers ({@code vmStructs.hpp}): the
 * JVM is not asked, so nothing is started, and no thread of it does anything. ZGC has no such range.
 *
 * @param end the first address behind it
 */
record HeapRange(long start, long end) {
    private static final String TABLE = "gHotSpotVMStructs";
    private static final String TYPE = "gHotSpotVMStructEntryTypeNameOffset";
    private static final String FIELD = "gHotSpotVMStructEntryFieldNameOffset";
    private static final String OFFSET = "gHotSpotVMStructEntryOffsetOffset";
    private static final String ADDRESS = "gHotSpotVMStructEntryAddressOffset";
    private static final String STRIDE = "gHotSpotVMStructEntryArrayStride";
    private static final Set<String> EXPORTED = Set.of(TABLE, TYPE, FIELD, OFFSET, ADDRESS, STRIDE);

    /** JDK 25 has about 1100 entries of 48 bytes. */
    private static final int ENTRY_LIMIT = 20_000;

    private static final int ENTRY_BYTES_LIMIT = 1024;

    /**
     * Reads it.
     *
     * @param library where the first byte of libjvm.so is mapped
     * @return empty while the JVM has no heap yet
     * @throws IOException if the memory may not be read, or the JVM has no such tables (it is not HotSpot)
     */
    static Optional<HeapRange> of(Path process, long library) throws IOException {
        try (JvmMemory memory = new JvmMemory(process)) {
            Table table = Table.of(memory, library);
            long heap = memory.word(table.field("Universe", "_collectedHeap", ADDRESS));
            if (heap == 0) {
                return Optional.empty();
            }
            long reserved = heap + table.field("CollectedHeap", "_reserved", OFFSET);
            long start = memory.word(reserved + table.field("MemRegion", "_start", OFFSET));
            long words = memory.word(reserved + table.field("MemRegion", "_word_size", OFFSET));
            return start == 0 || words == 0
                    ? Optional.empty()
                    : Optional.of(new HeapRange(start, start + words * Long.BYTES));
        }
    }

    /** The fields of HotSpot's classes; the last entry has no name. */
    private record Table(JvmMemory memory, long start, int stride, Map<String, Integer> offsets) {
        static Table of(JvmMemory memory, long library) throws IOException {
            Map<String, Long> symbols = memory.exported(library, EXPORTED);
            if (symbols.size() < EXPORTED.size()) {
                throw new IOException("the JVM is not HotSpot");
            }
            long stride = memory.word(symbols.getOrDefault(STRIDE, 0L));
            Map<String, Integer> offsets = new HashMap<>();
            for (String name : Set.of(TYPE, FIELD, OFFSET, ADDRESS)) {
                long offset = memory.word(symbols.getOrDefault(name, 0L));
                if (stride > ENTRY_BYTES_LIMIT || offset < 0 || offset > stride - Long.BYTES) {
                    throw new IOException("the JVM's tables have an unknown form");
                }
                offsets.put(name, (int) offset);
            }
            return new Table(memory, memory.word(symbols.getOrDefault(TABLE, 0L)), (int) stride, offsets);
        }

        /** What stands in the entry of a field: its offset in an object, or the address of a static one. */
        long field(String type, String field, String what) throws IOException {
            for (int i = 0; i < ENTRY_LIMIT; i++) {
                ByteBuffer entry = memory.read(start + (long) i * stride, stride);
                long name = entry.getLong(at(FIELD));
                if (name == 0) {
                    break;
                }
                if (memory.name(name).equals(field)
                        && memory.name(entry.getLong(at(TYPE))).equals(type)) {
                    return entry.getLong(at(what));
                }
            }
            throw new IOException("the JVM does not tell " + type + "::" + field);
        }

        private int at(String what) {
            return offsets.getOrDefault(what, 0);
        }
    }
}
