package org.berth.shuffle.shared;

import java.nio.ByteBuffer;
import org.apache.spark.storage.BlockId;
import org.apache.spark.storage.ShuffleBlockBatchId;
import org.apache.spark.storage.ShuffleBlockId;
import org.jspecify.annotations.Nullable;

/**
 * The numbers in the name of a shuffle block: {@code shuffle_SHUFFLE_MAP_REDUCE}, or
 * {@code shuffle_SHUFFLE_MAP_REDUCE_END} for those of several reducers together.
 *
 * @param endReduce one after the last reducer of several; -1 for a single one
 */
public record BlockNumbers(int shuffle, long map, int reduce, int endReduce) {
    public static final int BYTES = Integer.BYTES + Long.BYTES + 2 * Integer.BYTES;
    private static final int SINGLE = -1;

    /** Returns null for a block of another kind, such as a cached one. */
    public static @Nullable BlockNumbers parse(String name) {
        String[] parts = name.split("_", -1);
        if (parts.length < 4 || parts.length > 5 || !parts[0].equals("shuffle")) {
            return null;
        }
        try {
            return new BlockNumbers(
                    Integer.parseInt(parts[1]),
                    Long.parseLong(parts[2]),
                    Integer.parseInt(parts[3]),
                    parts.length == 5 ? Integer.parseInt(parts[4]) : SINGLE);
        } catch (NumberFormatException anotherKind) {
            return null;
        }
    }

    public BlockId blockId() {
        return endReduce == SINGLE
                ? new ShuffleBlockId(shuffle, map, reduce)
                : new ShuffleBlockBatchId(shuffle, map, reduce, endReduce);
    }

    void write(ByteBuffer to) {
        to.putInt(shuffle).putLong(map).putInt(reduce).putInt(endReduce);
    }

    static BlockNumbers read(ByteBuffer from) {
        return new BlockNumbers(from.getInt(), from.getLong(), from.getInt(), from.getInt());
    }
}
