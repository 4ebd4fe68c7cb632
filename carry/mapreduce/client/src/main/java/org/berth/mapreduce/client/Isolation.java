package org.berth.mapreduce.client;

import java.io.Closeable;
import java.io.IOException;
import java.net.URL;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.util.ApplicationClassLoader;
import org.apache.hadoop.util.StringUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The loaders of a job's classes in one JVM: one for all tasks, or with {@code berth.mapreduce.isolation=classloader} one for each
 * thread, so that static fields of user code are not shared between tasks that run at the same time. Thread-safe.
 */
public final class Isolation implements Closeable {
    private static final Logger LOG = LoggerFactory.getLogger(Isolation.class);
    private static final String PROPERTY = EngineSettings.ISOLATION;
    private static final String CLASS_LOADER = "classloader";

    private final Supplier<ClassLoader> shared;
    private final Separate separate;
    private final boolean on;
    private final Map<Thread, ApplicationClassLoader> loaders = new LinkedHashMap<>();

    /** Makes a loader of the job's classes. */
    public interface Separate {
        /** Returns a new one. */
        ApplicationClassLoader loader() throws IOException;
    }

    /**
     * Isolation as the job wants it.
     *
     * @param shared the loader for all tasks
     * @throws IllegalArgumentException one line, when the property has another value
     */
    public Isolation(Configuration conf, Supplier<ClassLoader> shared, Separate separate) {
        this.shared = shared;
        this.separate = separate;
        this.on = isOn(conf);
    }

    private static boolean isOn(Configuration conf) {
        String word = conf.getTrimmed(PROPERTY, "none");
        if (!List.of("none", CLASS_LOADER).contains(word)) {
            throw new IllegalArgumentException(PROPERTY + " is '" + word + "': give none or " + CLASS_LOADER);
        }
        return word.equals(CLASS_LOADER);
    }

    /**
     * Returns a loader of classes that does not ask its parent first, but for Hadoop's list of packages; the engine's classes are
     * shared with the tasks, too.
     */
    public static ApplicationClassLoader separate(URL[] urls, ClassLoader parent) {
        List<String> system = new ArrayList<>(
                Arrays.asList(StringUtils.getTrimmedStrings(ApplicationClassLoader.SYSTEM_CLASSES_DEFAULT)));
        system.add("org.berth.mapreduce.runtime.");
        return new ApplicationClassLoader(urls, parent, system);
    }

    /** Returns the loader for a task on the thread. */
    public ClassLoader loader(Thread worker) throws IOException {
        if (!on) {
            return shared.get();
        }
        synchronized (this) {
            ApplicationClassLoader loader = loaders.get(worker);
            if (loader == null) {
                closeThoseOfEndedThreads();
                loader = separate.loader();
                loaders.put(worker, loader);
            }
            return loader;
        }
    }

    /** Spark ends threads that were idle for a minute. */
    private void closeThoseOfEndedThreads() {
        Iterator<Map.Entry<Thread, ApplicationClassLoader>> all =
                loaders.entrySet().iterator();
        while (all.hasNext()) {
            Map.Entry<Thread, ApplicationClassLoader> entry = all.next();
            if (!entry.getKey().isAlive()) {
                all.remove();
                close(entry.getValue());
            }
        }
    }

    private static void close(ApplicationClassLoader loader) {
        try {
            loader.close();
        } catch (IOException e) {
            LOG.warn("cannot close the jars of a job: {}", e.toString());
        }
    }

    @Override
    public synchronized void close() {
        loaders.values().forEach(Isolation::close);
        loaders.clear();
    }
}
