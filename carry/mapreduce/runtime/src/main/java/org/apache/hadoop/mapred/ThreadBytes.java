package org.apache.hadoop.mapred;

import java.util.List;
import org.apache.hadoop.fs.FileSystem.Statistics;
import org.jspecify.annotations.NullMarked;

/**
 * Bytes that the current thread has read or written through a kind of file system. Hadoop's own tasks add up all threads of the
 * JVM, which takes a lock and counts what other tasks did.
 */
@NullMarked
final class ThreadBytes {
    private final Statistics[] all;
    private final boolean reads;
    private final Thread owner = Thread.currentThread();
    private final Statistics.StatisticsData[] own;

    ThreadBytes(List<Statistics> statistics, boolean reads) {
        this.all = statistics.toArray(Statistics[]::new);
        this.reads = reads;
        this.own = new Statistics.StatisticsData[all.length];
        for (int i = 0; i < all.length; i++) {
            own[i] = all[i].getThreadStatistics();
        }
    }

    long now() {
        boolean isOwner = Thread.currentThread() == owner;
        long sum = 0;
        for (int i = 0; i < all.length; i++) {
            Statistics.StatisticsData data = isOwner ? own[i] : all[i].getThreadStatistics();
            sum += reads ? data.getBytesRead() : data.getBytesWritten();
        }
        return sum;
    }
}
