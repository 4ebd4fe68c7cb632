package org.berth.mapreduce.runtime;

import java.io.IOException;
import org.apache.hadoop.io.DataInputBuffer;
import org.apache.hadoop.io.RawComparator;
import org.apache.hadoop.io.serializer.Deserializer;
import org.apache.hadoop.io.serializer.SerializationFactory;
import org.apache.hadoop.io.serializer.WritableSerialization;
import org.apache.hadoop.mapred.CountingReduceContext;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.ReportPace;
import org.apache.hadoop.mapreduce.Counter;
import org.apache.hadoop.mapreduce.OutputCommitter;
import org.apache.hadoop.mapreduce.RecordWriter;
import org.apache.hadoop.mapreduce.StatusReporter;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.task.TaskInputOutputContextImpl;
import org.berth.mapreduce.runtime.sort.RecordSource;
import org.jspecify.annotations.Nullable;

/**
 * What a reducer or combiner of the new API sees, as from Hadoop's {@code ReduceContextImpl}: key and value objects are used
 * again, and the key is read anew for each value. Unlike there, keys are compared only where the source cannot tell, no
 * key is copied that stays in memory, and counts are passed on in batches.
 */
final class GroupContext<K, V, L, W> extends TaskInputOutputContextImpl<K, V, L, W>
        implements CountingReduceContext<K, V, L, W> {
    private final RecordSource input;
    private final @Nullable Counter groups;
    private final Counter values;
    private final StatusReporter reporter;
    private final RawComparator<?> grouping;
    private final boolean groupedAsSorted;
    private final boolean reportsProgress;
    private final DataInputBuffer buffer = new DataInputBuffer();
    private final Deserializer<K> keys;
    private final Deserializer<V> valueReader;
    private final GroupValues<K, V> iterator;
    private final Iterable<V> iterable;
    private final boolean isWritable;
    private final ReportPace pace = new ReportPace();
    private byte[] ownKey = new byte[0];
    private byte[] keyBytes = ownKey;
    private int keyStart;
    private int keyLength;
    private int valueLength;
    private boolean hasRecord;
    private boolean more;
    private boolean firstValue;
    private boolean nextIsSame;
    private long countedGroups;
    private long countedValues;
    private @Nullable K key;
    private @Nullable V value;

    /** Classes and comparators of a job's groups: those of its reducer or of its combiner. */
    record Grouping<K, V>(
            Class<K> keyClass, Class<V> valueClass, RawComparator<?> comparator, boolean asSorted, boolean isReduce) {}

    /** @param groups null for a combiner, whose groups Hadoop does not count */
    @SuppressWarnings("NullAway") // a combiner has no committer in Hadoop, too
    GroupContext(
            JobConf job,
            TaskAttemptID attempt,
            RecordSource input,
            @Nullable Counter groups,
            Counter values,
            RecordWriter<L, W> output,
            @Nullable OutputCommitter committer,
            StatusReporter reporter,
            Grouping<K, V> grouping,
            SerializationFactory factory)
            throws IOException {
        super(job, attempt, output, committer, reporter);
        this.input = input;
        this.groups = groups;
        this.values = values;
        this.reporter = reporter;
        this.grouping = grouping.comparator();
        this.groupedAsSorted = grouping.asSorted();
        this.reportsProgress = grouping.isReduce();
        this.keys = factory.getDeserializer(grouping.keyClass());
        keys.open(buffer);
        this.valueReader = factory.getDeserializer(grouping.valueClass());
        valueReader.open(buffer);
        this.iterator = new GroupValues<>(this, job, attempt, factory, grouping.keyClass(), grouping.valueClass());
        this.iterable = () -> iterator;
        this.isWritable = factory.getSerialization(grouping.keyClass()) instanceof WritableSerialization
                && factory.getSerialization(grouping.valueClass()) instanceof WritableSerialization;
        more = input.next();
    }

    @Override
    public boolean nextKey() throws IOException {
        while (more && nextIsSame) {
            nextKeyValue();
        }
        if (!more) {
            report();
            return false;
        }
        countedGroups++;
        return nextKeyValue();
    }

    @Override
    public boolean nextKeyValue() throws IOException {
        if (!more) {
            key = null;
            value = null;
            report();
            return false;
        }
        firstValue = !nextIsSame;
        hasRecord = true;
        DataInputBuffer rawKey = input.getKey();
        keyLength = rawKey.getLength() - rawKey.getPosition();
        if (input.keyStays()) {
            keyBytes = rawKey.getData();
            keyStart = rawKey.getPosition();
        } else {
            if (ownKey.length < keyLength) {
                ownKey = new byte[Math.max(keyLength, Math.min(2 * ownKey.length, 1 << 20))];
            }
            System.arraycopy(rawKey.getData(), rawKey.getPosition(), ownKey, 0, keyLength);
            keyBytes = ownKey;
            keyStart = 0;
        }
        // A key that the program has not changed since it was read from the same bytes need not be read again.
        if (!isWritable || !nextIsSame || !CommonTypes.isRead(key, keyBytes, keyStart, keyLength)) {
            buffer.reset(keyBytes, keyStart, keyLength);
            key = keys.deserialize(key);
        }
        DataInputBuffer rawValue = input.getValue();
        valueLength = rawValue.getLength() - rawValue.getPosition();
        readValue(rawValue);
        iterator.keep(rawKey, rawValue);
        more = input.next();
        nextIsSame = more && isSame();
        countedValues++;
        if (pace.isDue()) {
            report();
        }
        return true;
    }

    private boolean isSame() throws IOException {
        RecordSource.Relation relation = input.relation();
        if (relation == RecordSource.Relation.IDENTICAL) {
            return true;
        }
        if (groupedAsSorted && relation != RecordSource.Relation.UNKNOWN) {
            return relation == RecordSource.Relation.EQUAL;
        }
        DataInputBuffer next = input.getKey();
        return grouping.compare(
                        keyBytes,
                        keyStart,
                        keyLength,
                        next.getData(),
                        next.getPosition(),
                        next.getLength() - next.getPosition())
                == 0;
    }

    private void report() {
        if (groups != null) {
            groups.increment(countedGroups);
        }
        values.increment(countedValues);
        countedGroups = 0;
        countedValues = 0;
        if (reportsProgress) {
            ((org.apache.hadoop.mapred.Task.TaskReporter) reporter)
                    .setProgress(input.getProgress().getProgress());
        } else {
            reporter.progress();
        }
    }

    @Override
    public void end() {
        report();
    }

    V readValue(DataInputBuffer raw) throws IOException {
        V present = value;
        int length = raw.getLength() - raw.getPosition();
        if (present != null && isWritable && CommonTypes.read(present, raw.getData(), raw.getPosition(), length)) {
            return present;
        }
        buffer.reset(raw.getData(), raw.getPosition(), length);
        V read = valueReader.deserialize(value);
        value = read;
        return read;
    }

    boolean hasNextValue() {
        return firstValue || nextIsSame;
    }

    /** Returns whether the current record is the first of its group and has not been handed out; it is handed out then. */
    boolean takeFirst() {
        boolean first = firstValue;
        firstValue = false;
        return first;
    }

    boolean nextIsSame() {
        return nextIsSame;
    }

    boolean hasRecord() {
        return hasRecord;
    }

    void forgetRecord() {
        hasRecord = false;
    }

    int keyLength() {
        return keyLength;
    }

    int valueLength() {
        return valueLength;
    }

    @Override
    @SuppressWarnings("NullAway") // null before the first record, as in Hadoop
    public K getCurrentKey() {
        return key;
    }

    @Override
    @SuppressWarnings("NullAway")
    public V getCurrentValue() {
        return value;
    }

    @Override
    public Iterable<V> getValues() {
        return iterable;
    }
}
