package org.berth.hdfs;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.berth.binding.internal.jvm.FailureText;

/** One warning for each kind of failure, however many blocks it meets; the number is a metric. Thread-safe. */
final class HdfsFailures {
    private final Set<String> told = ConcurrentHashMap.newKeySet();
    private final LongAdder count = new LongAdder();

    void add(String what, Throwable reason) {
        count.increment();
        tellOnce(
                what + reason.getClass().getName(),
                what + " (logged once, counted as Failures): " + FailureText.of(reason));
    }

    /** A lasting failure: a line, and no count. */
    void tellOnce(String line) {
        tellOnce(line, line);
    }

    private void tellOnce(String kind, String line) {
        if (told.add(kind)) {
            HdfsAffinityPlugin.LOG.warn("Berth: {}", line);
        }
    }

    long count() {
        return count.sum();
    }
}
