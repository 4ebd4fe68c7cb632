package org.berth.mapreduce.embedded;

import java.io.Closeable;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.util.ApplicationClassLoader;
import org.berth.mapreduce.client.BerthJob;
import org.berth.mapreduce.client.EngineSettings;

/**
 * The loaders of a job's classes: the job's own one, or with {@code berth.mapreduce.isolation=classloader} one for each worker
 * thread, so that static fields of user code are not shared between tasks that run at the same time. Thread-safe.
 */
final class Isolation implements Closeable {
    private static final String PROPERTY = EngineSettings.ISOLATION;
    private static final String CLASS_LOADER = "classloader";

    private final BerthJob job;
    private final boolean on;
    private final Map<Thread, ApplicationClassLoader> loaders = new LinkedHashMap<>();

    /** @throws IllegalArgumentException one line, when the property has another value */
    Isolation(BerthJob job) {
        this.job = job;
        this.on = isOn(job.conf());
    }

    private static boolean isOn(Configuration conf) {
        String word = conf.getTrimmed(PROPERTY, "none");
        if (!List.of("none", CLASS_LOADER).contains(word)) {
            throw new IllegalArgumentException(PROPERTY + " is '" + word + "': give none or " + CLASS_LOADER);
        }
        return word.equals(CLASS_LOADER);
    }

    /** Returns the loader for a task on the thread. */
    ClassLoader loader(Thread worker) throws IOException {
        if (!on) {
            return job.classLoader();
        }
        synchronized (this) {
            ApplicationClassLoader loader = loaders.get(worker);
            if (loader == null) {
                loader = job.separateClassLoader();
                loaders.put(worker, loader);
            }
            return loader;
        }
    }

    @Override
    public synchronized void close() throws IOException {
        for (ApplicationClassLoader loader : loaders.values()) {
            loader.close();
        }
        loaders.clear();
    }
}
