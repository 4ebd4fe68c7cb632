package org.berth.mapreduce.runtime;

import java.io.DataOutputStream;
import java.io.IOException;
import java.util.NoSuchElementException;
import org.apache.hadoop.io.DataInputBuffer;
import org.apache.hadoop.io.WritableUtils;
import org.apache.hadoop.io.serializer.SerializationFactory;
import org.apache.hadoop.io.serializer.Serializer;
import org.apache.hadoop.mapred.BackupStore;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapreduce.ReduceContext;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.jspecify.annotations.Nullable;

/** The values of a group, once, in order; marks and resets by Hadoop's own store. */
final class GroupValues<K, V> implements ReduceContext.ValueIterator<V> {
    private static final String NO_MARK = "Reset called without a previous mark";

    private final GroupContext<K, V, ?, ?> context;
    private final JobConf job;
    private final TaskAttemptID attempt;
    private final SerializationFactory factory;
    private final Class<K> keyClass;
    private final Class<V> valueClass;
    private @Nullable BackupStore<K, V> store;
    private boolean isMarked;
    private boolean inReset;
    private boolean clearMark;

    GroupValues(
            GroupContext<K, V, ?, ?> context,
            JobConf job,
            TaskAttemptID attempt,
            SerializationFactory factory,
            Class<K> keyClass,
            Class<V> valueClass) {
        this.context = context;
        this.job = job;
        this.attempt = attempt;
        this.factory = factory;
        this.keyClass = keyClass;
        this.valueClass = valueClass;
    }

    /** Stores a record that is read after a mark. */
    void keep(DataInputBuffer rawKey, DataInputBuffer rawValue) throws IOException {
        if (isMarked && store != null) {
            store.write(rawKey, rawValue);
        }
    }

    @Override
    public boolean hasNext() {
        try {
            if (inReset && store != null && store.hasNext()) {
                return true;
            }
        } catch (IOException e) {
            throw new IllegalStateException("hasNext failed", e);
        }
        return context.hasNextValue();
    }

    @Override
    public V next() {
        try {
            if (inReset && store != null) {
                if (store.hasNext()) {
                    store.next();
                    return context.readValue(store.nextValue());
                }
                inReset = false;
                store.exitResetMode();
                if (clearMark) {
                    clearMark = false;
                    isMarked = false;
                }
            }
            if (!context.takeFirst()) {
                if (!context.nextIsSame()) {
                    throw new NoSuchElementException("iterate past last value");
                }
                context.nextKeyValue();
            }
            return context.getCurrentValue();
        } catch (IOException e) {
            // Hadoop's own iterator throws the same, and programs catch it.
            throw new RuntimeException("next value iterator failed", e);
        }
    }

    @Override
    public void mark() throws IOException {
        BackupStore<K, V> open = store;
        if (open == null) {
            open = new BackupStore<>(job, attempt);
            store = open;
        }
        isMarked = true;
        if (inReset) {
            open.mark();
            return;
        }
        open.reinitialize();
        if (!context.hasRecord()) {
            return;
        }
        int size = context.keyLength()
                + context.valueLength()
                + WritableUtils.getVIntSize(context.keyLength())
                + WritableUtils.getVIntSize(context.valueLength());
        DataOutputStream out = open.getOutputStream(size);
        WritableUtils.writeVInt(out, context.keyLength());
        WritableUtils.writeVInt(out, context.valueLength());
        Serializer<K> keys = factory.getSerializer(keyClass);
        keys.open(out);
        keys.serialize(context.getCurrentKey());
        Serializer<V> values = factory.getSerializer(valueClass);
        values.open(out);
        values.serialize(context.getCurrentValue());
        open.updateCounters(size);
    }

    @Override
    public void reset() throws IOException {
        if (clearMark && store != null) {
            clearMark = false;
            store.clearMark();
            throw new IOException(NO_MARK);
        }
        if (!isMarked || store == null) {
            throw new IOException(NO_MARK);
        }
        inReset = true;
        store.reset();
    }

    @Override
    public void clearMark() throws IOException {
        if (store == null) {
            return;
        }
        if (inReset) {
            clearMark = true;
            store.clearMark();
        } else {
            isMarked = false;
            store.reinitialize();
        }
    }

    @Override
    public void resetBackupStore() throws IOException {
        if (store == null) {
            return;
        }
        inReset = false;
        isMarked = false;
        store.reinitialize();
        context.forgetRecord();
    }
}
