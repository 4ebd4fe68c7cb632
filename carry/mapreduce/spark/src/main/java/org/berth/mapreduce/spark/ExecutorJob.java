package org.berth.mapreduce.spark;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.File;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.JobID;
import org.apache.hadoop.security.Credentials;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.util.RunJar;
import org.berth.mapreduce.client.BerthJob;
import org.berth.mapreduce.client.EngineSettings;
import org.berth.mapreduce.client.Isolation;
import org.berth.mapreduce.client.JobCache;
import org.berth.mapreduce.client.TaskUsers;
import org.berth.mapreduce.runtime.blocks.SpillFile;
import org.berth.mapreduce.runtime.sort.BufferPool;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the tasks of one job share in an executor: configuration, classes, files of the distributed cache, user. */
final class ExecutorJob implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ExecutorJob.class);

    private final String name;
    private final JobConf conf;
    private final Configuration spillConf;
    private final String jobFile;
    private final UserGroupInformation user;
    private final TaskUsers users;
    private final Isolation isolation;
    private final String[] roots;
    private final BufferPool pool;
    private final @Nullable JobCache cache;

    /** In the driver's JVM everything is there already. */
    ExecutorJob(BerthJob job, Isolation isolation, BufferPool pool) {
        this.isolation = isolation;
        name = job.id().toString();
        conf = job.conf();
        spillConf = job.spillConf();
        jobFile = job.file().toString();
        user = job.user();
        users = job.users();
        roots = job.localDirs("");
        this.pool = pool;
        cache = null;
    }

    /**
     * Sets up what the description tells.
     *
     * @param folders local ones, which Spark removes with this executor, however it ends
     */
    ExecutorJob(byte[] description, File[] folders) throws IOException {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(description))) {
            name = in.readUTF();
            jobFile = in.readUTF();
            user = UserGroupInformation.createRemoteUser(in.readUTF());
            conf = new JobConf(false);
            conf.readFields(in);
            Credentials credentials = new Credentials();
            credentials.readTokenStorageStream(in);
            conf.setCredentials(credentials);
            user.addCredentials(credentials);
        }
        users = TaskUsers.of(user);
        roots = Arrays.stream(folders)
                .map(folder -> folder + "/berth-" + name + "/")
                .toArray(String[]::new);
        conf.setStrings("mapreduce.cluster.local.dir", localDirs("cache"));
        ClassLoader parent = Thread.currentThread().getContextClassLoader();
        URL[] classes;
        try {
            JobCache local = user.doAs(
                    (java.security.PrivilegedExceptionAction<JobCache>) () -> JobCache.of(conf, JobID.forName(name)));
            cache = local;
            classes = user.doAs((java.security.PrivilegedExceptionAction<URL[]>) () -> classes(local.classPath()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
        ClassLoader above = parent == null ? ExecutorJob.class.getClassLoader() : parent;
        ClassLoader shared = classes.length == 0 ? above : new URLClassLoader(classes, above);
        isolation = new Isolation(conf, () -> shared, () -> Isolation.separate(classes, above));
        conf.setClassLoader(shared);
        spillConf = new Configuration(conf);
        spillConf.setStrings(SpillFile.DIRS, localDirs("spill"));
        pool = ExecutorJobs.pool(EngineSettings.of(conf));
    }

    /** Returns what the other constructor needs. */
    static byte[] describe(BerthJob job) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeUTF(job.id().toString());
            out.writeUTF(job.file().toString());
            out.writeUTF(job.user().getShortUserName());
            job.conf().write(out);
            job.conf().getCredentials().writeTokenStorageToStream(out);
        }
        return bytes.toByteArray();
    }

    /**
     * The class path of one loader, as on YARN: the job's jar, what its folder lib holds, its folder classes, and the
     * given libraries.
     */
    private URL[] classes(List<URL> libraries) throws IOException {
        List<URL> urls = new ArrayList<>();
        String jar = conf.getJar();
        if (jar != null && !jar.isEmpty()) {
            addJar(jar, urls);
        }
        urls.addAll(libraries);
        return urls.toArray(URL[]::new);
    }

    private void addJar(String jar, List<URL> urls) throws IOException {
        File folder = new File(localDirs("job")[0]);
        File copy = new File(folder, "job.jar");
        Path source = new Path(jar);
        FileSystem.getLocal(conf).mkdirs(new Path(folder.toString()));
        FileUtil.copy(source.getFileSystem(conf), source, copy, false, conf);
        RunJar.unJar(copy, folder, Pattern.compile("(?:classes/|lib/).*"));
        add(urls, copy);
        add(urls, new File(folder, "classes"));
        File[] libraries = new File(folder, "lib").listFiles();
        if (libraries != null) {
            Arrays.sort(libraries);
            for (File library : libraries) {
                add(urls, library);
            }
        }
    }

    private static void add(List<URL> urls, File file) throws MalformedURLException {
        if (file.exists()) {
            urls.add(file.toURI().toURL());
        }
    }

    String name() {
        return name;
    }

    JobConf conf() {
        return conf;
    }

    Configuration spillConf() {
        return spillConf;
    }

    String jobFile() {
        return jobFile;
    }

    TaskUsers users() {
        return users;
    }

    /** Returns the loader of the job's classes for a task on the thread. */
    ClassLoader classLoader(Thread thread) throws IOException {
        return isolation.loader(thread);
    }

    BufferPool pool() {
        return pool;
    }

    String[] localDirs(String folder) {
        return Arrays.stream(roots).map(root -> root + folder).toArray(String[]::new);
    }

    @Override
    public void close() {
        JobCache local = cache;
        if (local == null) {
            return;
        }
        isolation.close();
        try {
            local.close();
            FileSystem files = FileSystem.getLocal(new Configuration(false));
            for (String root : roots) {
                files.delete(new Path(root), true);
            }
            users.close();
            FileSystem.closeAllForUGI(user);
        } catch (IOException | RuntimeException e) {
            LOG.warn("cannot remove the temporary files of {}: {}", name, e.toString());
        }
    }
}
