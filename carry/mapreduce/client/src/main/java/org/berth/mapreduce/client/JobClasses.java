package org.berth.mapreduce.client;

import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.util.ApplicationClassLoader;

/**
 * The loaders of a job's classes in the client's JVM. Usually tasks share the client's classes. When the client's loader of the job's
 * jar does not see the jars of {@code -libjars}, tasks have one loader for all of them, as on a cluster. Thread-safe.
 */
final class JobClasses {
    private final JobConf conf;
    private final ClassLoader loader;

    /** @param libraries the job's additional class path */
    JobClasses(JobConf conf, List<URL> libraries, ClassLoader client) throws IOException {
        this.conf = conf;
        if (libraries.isEmpty()) {
            loader = client;
        } else {
            ClassLoader all = new URLClassLoader(libraries.toArray(URL[]::new), client);
            loader = seesAll(libraries, client) ? all : separate(all);
        }
    }

    ClassLoader loader() {
        return loader;
    }

    /** Returns a new loader of all classes of the job, which does not ask its parent first. */
    ApplicationClassLoader separate() throws IOException {
        return separate(loader);
    }

    private ApplicationClassLoader separate(ClassLoader parent) throws IOException {
        return Isolation.separate(urls(parent), parent);
    }

    private Optional<File> jar() {
        String jar = conf.getJar();
        return jar == null
                ? Optional.empty()
                : Optional.of(new File(new Path(jar).toUri().getPath()));
    }

    /** The job's jar, and what `hadoop jar` and -libjars have put on the class path by loaders of their own. */
    private URL[] urls(ClassLoader parent) throws IOException {
        List<URL> found = new ArrayList<>();
        if (jar().isPresent()) {
            found.add(jar().get().toURI().toURL());
        }
        ClassLoader system = ClassLoader.getSystemClassLoader();
        for (ClassLoader next = parent; next != null && next != system; next = next.getParent()) {
            if (next instanceof URLClassLoader open) {
                found.addAll(Arrays.asList(open.getURLs()));
            }
        }
        return found.toArray(URL[]::new);
    }

    /** Whether the loader that has the job's jar sees the libraries as well; without a jar there is nothing to load anew. */
    private boolean seesAll(List<URL> libraries, ClassLoader client) throws IOException {
        Optional<String> own = jar().isPresent() ? aClass(jar().get()) : Optional.empty();
        if (own.isEmpty()) {
            return true;
        }
        ClassLoader defining = client;
        while (defining.getParent() != null && defining.getParent().getResource(own.get()) != null) {
            defining = defining.getParent();
        }
        for (URL library : libraries) {
            Optional<String> some = aClass(new File(library.getPath()));
            if (some.isPresent() && defining.getResource(some.get()) == null) {
                return false;
            }
        }
        return true;
    }

    private static Optional<String> aClass(File jar) throws IOException {
        if (!jar.isFile()) {
            return Optional.empty();
        }
        try (JarFile open = new JarFile(jar)) {
            return open.stream()
                    .map(ZipEntry::getName)
                    .filter(name -> name.endsWith(".class") && !name.startsWith("META-INF/"))
                    .filter(name -> !name.endsWith("-info.class"))
                    .findFirst();
        }
    }
}
