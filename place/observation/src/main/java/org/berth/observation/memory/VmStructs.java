package org.berth.observation.memory;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * The table {@code gHotSpotVMStructs} of the fields of HotSpot's classes in another JVM, whose last entry has no name;
 * {@code vm_structs.c} reads that of its own JVM.
 */
record VmStructs(JvmMemory memory, long start, int stride, Map<String, Integer> offsets) {
    private static final String TABLE = "gHotSpotVMStructs";
    private static final String TYPE = "gHotSpotVMStructEntryTypeNameOffset";
    private static final String FIELD = "gHotSpotVMStructEntryFieldNameOffset";
    static final String OFFSET = "gHotSpotVMStructEntryOffsetOffset";
    static final String ADDRESS = "gHotSpotVMStructEntryAddressOffset";
    private static final String STRIDE = "gHotSpotVMStructEntryArrayStride";
    private static final Set<String> EXPORTED = Set.of(TABLE, TYPE, FIELD, OFFSET, ADDRESS, STRIDE);

    /** JDK 25 has about 1100 entries of 48 bytes. */
    private static final int ENTRY_LIMIT = 20_000;

    private static final int ENTRY_BYTES_LIMIT = 1024;

    static VmStructs of(JvmMemory memory, long library) throws IOException {
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
        return new VmStructs(memory, memory.word(symbols.getOrDefault(TABLE, 0L)), (int) stride, offsets);
    }

    /** Value of a field's entry: the offset of an instance field, the address of a static one. */
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
