package org.berth.mapreduce.embedded;

import java.io.Closeable;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.util.ApplicationClassLoader;
import org.apache.hadoop.util.StringUtils;
import org.berth.mapreduce.client.BerthJob;
import org.berth.mapreduce.client.EngineSettings;
import org.jspecify.annotations.Nullable;

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
    private URL @Nullable [] urls;

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
                loader = new ApplicationClassLoader(urls(), job.classLoader(), systemClasses());
                loaders.put(worker, loader);
            }
            return loader;
        }
    }

    /** Hadoop's list of packages that the parent loads always; the engine's classes are shared with the tasks, too. */
    private static List<String> systemClasses() {
        List<String> classes = new ArrayList<>(
                Arrays.asList(StringUtils.getTrimmedStrings(ApplicationClassLoader.SYSTEM_CLASSES_DEFAULT)));
        classes.add("org.berth.mapreduce.runtime.");
        return classes;
    }

    /** The job's jar, and what `hadoop jar` and -libjars have put on the class path by loaders of their own. */
    private URL[] urls() throws IOException {
        URL[] known = urls;
        if (known == null) {
            List<URL> found = new ArrayList<>();
            String jar = job.conf().getJar();
            if (jar != null) {
                found.add(url(jar));
            }
            ClassLoader system = ClassLoader.getSystemClassLoader();
            for (ClassLoader loader = job.classLoader();
                    loader != null && loader != system;
                    loader = loader.getParent()) {
                if (loader instanceof URLClassLoader open) {
                    found.addAll(Arrays.asList(open.getURLs()));
                }
            }
            known = found.toArray(URL[]::new);
            urls = known;
        }
        return known;
    }

    private static URL url(String jar) throws MalformedURLException {
        return Path.of(new org.apache.hadoop.fs.Path(jar).toUri().getPath())
                .toUri()
                .toURL();
    }

    @Override
    public synchronized void close() throws IOException {
        for (ApplicationClassLoader loader : loaders.values()) {
            loader.close();
        }
        loaders.clear();
    }
}
