package org.berth.probes;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.UUID;

/**
 * Writes one block over and over to a file without a name, past the page cache ({@code O_DIRECT}, open(2)): a write
 * returns when the device has taken the data, and its interrupt has woken the thread. One thread.
 */
public final class DirectDiskWrite implements Transfer {
    private static final int FILL = 0x5a;

    private final FileChannel file;
    private final ByteBuffer block;

    private DirectDiskWrite(FileChannel file, ByteBuffer block) {
        this.file = file;
        this.block = block;
    }

    /**
     * Makes the file, which vanishes with the process however that ends, and a buffer in memory near the calling
     * thread.
     *
     * @param folder on the disk that is meant
     * @param sizeBytes of each write; a multiple of the file system's block size
     * @throws IOException one line, when the folder cannot be written, or its file system knows no direct writes
     */
    public static DirectDiskWrite open(Path folder, int sizeBytes) throws IOException {
        Path name = folder.resolve("berth-probe-" + UUID.randomUUID());
        FileChannel file = null;
        try {
            file = FileChannel.open(name, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE, direct());
            Files.delete(name);
            int alignment = Math.toIntExact(Files.getFileStore(folder).getBlockSize());
            ByteBuffer block = ByteBuffer.allocateDirect(sizeBytes + alignment).alignedSlice(alignment);
            block.limit(sizeBytes);
            // Disks that compress or leave out zeros would seem too fast.
            for (int i = 0; i < sizeBytes; i += Long.BYTES) {
                block.putLong(i, (i + FILL) * 0x9E3779B97F4A7C15L);
            }
            return new DirectDiskWrite(file, block);
        } catch (IOException | UnsupportedOperationException e) {
            if (file != null) {
                file.close();
            }
            // Some file systems only refuse when the file is there.
            Files.deleteIfExists(name);
            throw new IOException("cannot write to " + folder + " past the page cache (O_DIRECT): " + reason(e), e);
        }
    }

    /**
     * Looks it up by name, because {@code com.sun.nio.file.ExtendedOpenOption} is of jdk.unsupported: every JDK has it,
     * and the compiler of 25 warns of it without a way to say that it is intended. */
    private static OpenOption direct() throws IOException {
        try {
            for (Object option :
                    Class.forName("com.sun.nio.file.ExtendedOpenOption").getEnumConstants()) {
                if (option instanceof OpenOption direct && option.toString().equals("DIRECT")) {
                    return direct;
                }
            }
            throw new IOException("this JVM has no DIRECT among its ExtendedOpenOptions");
        } catch (ClassNotFoundException e) {
            throw new IOException("this JVM is without the module jdk.unsupported", e);
        }
    }

    private static String reason(Exception e) {
        String why = e instanceof FileSystemException problem && problem.getReason() != null
                ? problem.getReason()
                : String.valueOf(e.getMessage());
        return why.contains("Invalid argument") ? why + " (the file system does not support it)" : why;
    }

    @Override
    public void move() throws IOException {
        block.position(0);
        while (block.hasRemaining()) {
            file.write(block, block.position());
        }
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
