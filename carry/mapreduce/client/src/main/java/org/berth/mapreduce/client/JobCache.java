package org.berth.mapreduce.client;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.URL;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapred.BerthAccess;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.JobID;
import org.apache.hadoop.mapreduce.MRConfig;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The distributed cache of a job on this host: local copies, links to them in the working directory, and the class path. A JVM has
 * one working directory, so jobs that run at the same time share links of the same name; their files stay until the last of these
 * jobs has ended. Thread-safe.
 */
public final class JobCache implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(JobCache.class);

    /** The job that made each link; it guards the other fields, too. */
    private static final Map<File, JobCache> LINKS = new HashMap<>();

    private final BerthAccess.LocalCache files = new BerthAccess.LocalCache();
    private final JobID id;
    private final JobConf conf;
    private final Set<JobCache> lenders = new HashSet<>();
    private int users = 1;

    private JobCache(JobConf conf, JobID id) {
        this.conf = conf;
        this.id = id;
    }

    /** Brings files and archives of the job here, and names them in its configuration, by plain paths. */
    public static JobCache of(JobConf conf, JobID id) throws IOException {
        JobCache cache = new JobCache(conf, id);
        try {
            cache.setUp();
        } catch (IOException | RuntimeException e) {
            cache.close();
            throw e;
        }
        return cache;
    }

    private void setUp() throws IOException {
        Map<File, Boolean> links = links();
        if (links.isEmpty()) {
            localize();
            return;
        }
        synchronized (LINKS) {
            Set<File> made = new HashSet<>();
            links.forEach((link, archive) -> {
                JobCache owner = LINKS.get(link);
                if (owner != null && lenders.add(owner)) {
                    owner.users++;
                } else if (owner == null && !link.exists()) {
                    made.add(link);
                }
            });
            localize();
            made.forEach(link -> LINKS.put(link, this));
            links.forEach((link, archive) -> {
                if (!made.contains(link)) {
                    warnOfAnother(link, archive);
                }
            });
        }
    }

    private void localize() throws IOException {
        files.setUp(conf, id);
        LocalPaths.plain(conf);
    }

    /** Returns the links that the job wants, and whether they lead to archives. */
    private Map<File, Boolean> links() {
        Map<File, Boolean> result = new HashMap<>();
        File folder = new File(System.getProperty("user.dir", "."));
        for (String key : new String[] {MRJobConfig.CACHE_FILES, MRJobConfig.CACHE_ARCHIVES}) {
            for (String text : conf.getTrimmedStringCollection(key)) {
                URI uri = URI.create(text);
                String name = uri.getFragment() == null ? new Path(uri.getPath()).getName() : uri.getFragment();
                if (!name.equals("*")) {
                    result.put(new File(folder, name), key.equals(MRJobConfig.CACHE_ARCHIVES));
                }
            }
        }
        return result;
    }

    /** Hadoop leaves a file alone that is in the place of a link; that the tasks see it is right only if it is the same. */
    private void warnOfAnother(File link, boolean archive) {
        boolean same = archive
                ? link.isDirectory()
                : localized().stream().anyMatch(file -> file.isFile() && file.length() == link.length());
        if (!same) {
            LOG.warn(
                    "{}: tasks that open {} see what is there already, not the job's {} of this name; give another one"
                            + " after #, or start the job in another directory",
                    id,
                    link,
                    archive ? "archive" : "file");
        }
    }

    private List<File> localized() {
        return Stream.of(MRJobConfig.CACHE_LOCALFILES, MRJobConfig.CACHE_LOCALARCHIVES)
                .map(conf::getTrimmedStringCollection)
                .flatMap(Collection::stream)
                .map(File::new)
                .toList();
    }

    /** Returns the job's additional class path ({@code -libjars}): its files here. */
    public List<URL> classPath() throws IOException {
        List<URL> result = new ArrayList<>();
        for (String key : new String[] {MRJobConfig.CLASSPATH_FILES, MRJobConfig.CLASSPATH_ARCHIVES}) {
            for (String entry : classPathEntries(key)) {
                result.add(here(new Path(entry)).toURI().toURL());
            }
        }
        return result;
    }

    private File here(Path entry) throws IOException {
        String name = entry.getName();
        for (File file : localized()) {
            // -libjars brings a whole folder, without those jars that are on the file system of the job's files
            // already.
            File found = file.getName().equals(name) ? file : new File(file, name);
            if (found.exists()) {
                return found;
            }
        }
        FileSystem source = new Path(conf.get(MRJobConfig.MAPREDUCE_JOB_DIR, "/")).getFileSystem(conf);
        if (source instanceof LocalFileSystem) {
            return new File(entry.toUri().getPath());
        }
        Path copy = new Path(new Path(roots()[0], id + "_libraries"), name);
        FileUtil.copy(source, entry, FileSystem.getLocal(conf), copy, false, true, conf);
        return new File(copy.toUri().getPath());
    }

    private String[] roots() {
        return conf.getTrimmedStrings(MRConfig.LOCAL_DIR, "/tmp/hadoop/mapred/local");
    }

    private Collection<String> classPathEntries(String key) {
        String paths = conf.get(key, "");
        return paths.isEmpty() ? List.of() : List.of(paths.split("[" + File.pathSeparator + ",]"));
    }

    @Override
    public void close() throws IOException {
        synchronized (LINKS) {
            release();
            for (JobCache lender : lenders) {
                lender.release();
            }
            lenders.clear();
        }
    }

    private void release() throws IOException {
        if (--users > 0) {
            return;
        }
        LINKS.values().removeIf(owner -> owner == this);
        files.close();
        // Hadoop removes the files, and leaves the folder of each.
        for (String root : roots()) {
            File[] folders =
                    new File(new Path(root).toUri().getPath()).listFiles((dir, name) -> name.startsWith(id + "_"));
            for (File folder : Objects.requireNonNullElse(folders, new File[0])) {
                FileUtil.fullyDelete(folder);
            }
        }
    }
}
