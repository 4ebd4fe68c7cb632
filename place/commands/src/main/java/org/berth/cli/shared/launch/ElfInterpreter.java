package org.berth.cli.shared.launch;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** The loader that a program names in its file, by which programs for musl differ from those for glibc (elf(5), PT_INTERP). */
public final class ElfInterpreter {
    private static final int HEADER_BYTES = 64;
    private static final int MAGIC = 0x464c457f;
    private static final byte CLASS_64 = 2;
    private static final int CLASS_AT = 4;
    private static final int PARTS_AT = 32;
    private static final int PART_BYTES = 56;
    private static final int PART_COUNT_AT = 56;
    private static final int OFFSET_AT = 8;
    private static final int LENGTH_AT = 32;
    private static final int INTERPRETER = 3;
    private static final int LONGEST = 4096;

    private ElfInterpreter() {}

    /** Whether a program has musl's loader; false for what cannot be read, or is no ELF program of 64 bits in little-endian order. */
    public static boolean isMusl(Path program) {
        try (RandomAccessFile file = new RandomAccessFile(program.toFile(), "r")) {
            ByteBuffer header = read(file, 0, HEADER_BYTES);
            if (header.getInt(0) != MAGIC || header.get(CLASS_AT) != CLASS_64) {
                return false;
            }
            for (int i = 0; i < header.getShort(PART_COUNT_AT); i++) {
                ByteBuffer part = read(file, header.getLong(PARTS_AT) + (long) i * PART_BYTES, PART_BYTES);
                if (part.getInt(0) == INTERPRETER) {
                    int length = (int) Math.max(0, Math.min(LONGEST, part.getLong(LENGTH_AT)));
                    ByteBuffer name = read(file, part.getLong(OFFSET_AT), length);
                    return StandardCharsets.ISO_8859_1.decode(name).toString().contains("/ld-musl-");
                }
            }
            return false;
        } catch (IOException unreadable) {
            return false;
        }
    }

    private static ByteBuffer read(RandomAccessFile file, long at, int length) throws IOException {
        byte[] bytes = new byte[length];
        file.seek(at);
        file.readFully(bytes);
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }
}
