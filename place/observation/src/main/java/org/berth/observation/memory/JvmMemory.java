package org.berth.observation.memory;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * What a HotSpot JVM has in its memory, read from outside: words, names, and the addresses of what libjvm.so exports. Everything comes
 * from the process' memory, so no file that it names is opened. Numbers of another process are not trusted: a wrong one is an
 * IOException.
 *
 * @see <a href="https://refspecs.linuxfoundation.org/elf/gabi4+/ch5.dynamic.html">ELF, the dynamic section</a>
 */
final class JvmMemory implements Closeable {
    private static final int NAME_LIMIT = 64;
    private static final int TABLE_LIMIT = 4 << 20;
    private static final int SYMBOL_BYTES = 24;
    private static final int PROGRAM_HEADER_BYTES = 56;
    private static final int DYNAMIC_SEGMENT = 2;
    private static final long NAMES_TAG = 5;
    private static final long SYMBOLS_TAG = 6;

    private final FileChannel memory;

    /** @throws IOException if the process has ended or its memory may not be read (PTRACE_MODE_ATTACH) */
    JvmMemory(Path process) throws IOException {
        memory = FileChannel.open(process.resolve("mem"), StandardOpenOption.READ);
    }

    ByteBuffer read(long address, int bytes) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(bytes).order(ByteOrder.nativeOrder());
        while (buffer.hasRemaining()) {
            if (address <= 0 || memory.read(buffer, address + buffer.position()) <= 0) {
                throw new IOException("nothing can be read at 0x" + Long.toHexString(address));
            }
        }
        return buffer.flip();
    }

    long word(long address) throws IOException {
        return read(address, Long.BYTES).getLong();
    }

    /** The text at the address, which a NUL ends; a longer one is cut. */
    String name(long address) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(NAME_LIMIT);
        // A page may end behind the text: what can be read is enough.
        if (address <= 0 || memory.read(buffer, address) <= 0) {
            throw new IOException("no name can be read at 0x" + Long.toHexString(address));
        }
        return text(buffer.flip(), 0);
    }

    /**
     * The addresses of symbols that a library exports; those that it lacks are absent.
     *
     * @param base where the first byte of the library's file is mapped
     */
    Map<String, Long> exported(long base, Set<String> names) throws IOException {
        ByteBuffer header = read(base, 64);
        long programHeaders = base + header.getLong(32);
        int count = Short.toUnsignedInt(header.getShort(56));
        for (int i = 0; i < count; i++) {
            ByteBuffer segment = read(programHeaders + (long) i * PROGRAM_HEADER_BYTES, PROGRAM_HEADER_BYTES);
            if (segment.getInt(0) == DYNAMIC_SEGMENT) {
                return symbols(base, read(base + segment.getLong(16), bounded(segment.getLong(40))), names);
            }
        }
        throw new IOException("the library has no dynamic section");
    }

    private Map<String, Long> symbols(long base, ByteBuffer dynamic, Set<String> names) throws IOException {
        long symbolTable = 0;
        long nameTable = 0;
        while (dynamic.remaining() >= 2 * Long.BYTES) {
            long tag = dynamic.getLong();
            long value = dynamic.getLong();
            // The loader of most processors, and not of all, has replaced offsets by addresses.
            long address = Long.compareUnsigned(value, base) < 0 ? base + value : value;
            symbolTable = tag == SYMBOLS_TAG ? address : symbolTable;
            nameTable = tag == NAMES_TAG ? address : nameTable;
        }
        // The section tells no number of symbols; the names stand behind them.
        ByteBuffer table = read(symbolTable, bounded((nameTable - symbolTable) / SYMBOL_BYTES * SYMBOL_BYTES));
        Map<String, Long> found = new HashMap<>();
        while (table.remaining() >= SYMBOL_BYTES && found.size() < names.size()) {
            int symbol = table.position();
            long value = table.getLong(symbol + 8);
            if (value != 0) {
                String name = name(nameTable + Integer.toUnsignedLong(table.getInt(symbol)));
                if (names.contains(name)) {
                    found.put(name, base + value);
                }
            }
            table.position(symbol + SYMBOL_BYTES);
        }
        return found;
    }

    private static int bounded(long bytes) throws IOException {
        if (bytes <= 0 || bytes > TABLE_LIMIT) {
            throw new IOException("a table of " + bytes + " bytes");
        }
        return (int) bytes;
    }

    private static String text(ByteBuffer bytes, int from) {
        int end = from;
        while (end < bytes.limit() && bytes.get(end) != 0) {
            end++;
        }
        byte[] text = new byte[end - from];
        bytes.get(from, text);
        return new String(text, StandardCharsets.ISO_8859_1);
    }

    @Override
    public void close() throws IOException {
        memory.close();
    }
}
