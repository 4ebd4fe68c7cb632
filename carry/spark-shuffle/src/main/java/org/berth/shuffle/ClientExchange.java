package org.berth.shuffle;

import java.io.IOException;
import java.lang.reflect.Field;
import org.apache.spark.network.shuffle.BlockStoreClient;
import org.apache.spark.storage.BlockManager;

/**
 * Puts another client in the place of the one by which a {@link BlockManager} reads blocks of other executors. Spark has no
 * setting for it, and the constructors of its shuffle reader differ between 4.0 and 4.2, while the field is the same.
 */
final class ClientExchange {
    private static final String FIELD = "blockStoreClient";

    private ClientExchange() {}

    /**
     * Must be called before the executor's first task, so that each task sees it.
     *
     * @throws IOException when this version of Spark or of Java does not allow it; nothing has changed then
     */
    static void exchange(BlockManager manager, BlockStoreClient client) throws IOException {
        try {
            Field field = BlockManager.class.getDeclaredField(FIELD);
            field.setAccessible(true);
            field.set(manager, client);
        } catch (ReflectiveOperationException | RuntimeException e) {
            throw new IOException("the field " + FIELD + " of Spark's BlockManager cannot be set (" + e + ")", e);
        }
        if (manager.blockStoreClient() != client) {
            throw new IOException("Spark's BlockManager does not use its field " + FIELD);
        }
    }
}
