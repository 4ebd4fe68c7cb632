package org.berth.mapreduce.spark;

import java.io.IOException;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;
import org.apache.spark.SparkContext$;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.Option;
import scala.Tuple2;

/**
 * The one Spark application of this JVM, for all jobs. One that the program has started itself is used and never stopped; our own
 * one ends after some time without a job. Thread-safe.
 */
final class SparkApplication {
    private static final Logger LOG = LoggerFactory.getLogger(SparkApplication.class);
    private static final ScheduledExecutorService TIMER = Executors.newSingleThreadScheduledExecutor(work -> {
        Thread thread = new Thread(work, "berth-spark-idle");
        thread.setDaemon(true);
        return thread;
    });

    private static @Nullable SparkContext own;

    /** The settings of an application that was started before its first job has come. */
    private static @Nullable SparkConf early;

    /** Whether a task keeps a thread of our own application for good. */
    private static boolean threadLost;

    private static int jobs;
    private static @Nullable ScheduledFuture<?> end;

    private SparkApplication() {}

    /** Starts the application while the client still prepares a job; a failure shows when the job enters. */
    static void startEarly(Configuration job) {
        Thread thread = new Thread(
                () -> {
                    try {
                        long idleSeconds = ApplicationSettings.idleSeconds(job);
                        synchronized (SparkApplication.class) {
                            if (running() == null) {
                                SparkConf settings = ApplicationSettings.of(job);
                                enter(job);
                                early = settings;
                                leave(idleSeconds);
                            }
                        }
                    } catch (IOException | RuntimeException e) {
                        LOG.debug("Spark did not start early", e);
                    }
                },
                "berth-spark-start");
        thread.setDaemon(true);
        thread.start();
    }

    /** Returns the application for one job, which calls {@link #leave} once afterwards. */
    static synchronized SparkContext enter(Configuration job) throws IOException {
        stopIfOther(job);
        SparkContext context = running();
        if (context != null) {
            if (context != own) {
                requirePlugin(context);
            }
        } else {
            ClassLoader former = Thread.currentThread().getContextClassLoader();
            try {
                // Spark's own threads live longer than the job, whose classes are in the present loader.
                Thread.currentThread().setContextClassLoader(SparkApplication.class.getClassLoader());
                context = new SparkContext(ApplicationSettings.of(job));
            } catch (RuntimeException e) {
                throw new IOException(
                        "cannot start Spark (" + ApplicationSettings.MASTER + "="
                                + job.getTrimmed(ApplicationSettings.MASTER, "") + "): " + e.getMessage(),
                        e);
            } finally {
                Thread.currentThread().setContextClassLoader(former);
            }
            own = context;
            threadLost = false;
        }
        jobs++;
        if (end != null) {
            end.cancel(false);
            end = null;
        }
        return context;
    }

    /** The first job decides the settings, not the client that it came from. */
    private static void stopIfOther(Configuration job) {
        SparkConf settings = early;
        SparkContext context = own;
        early = null;
        if (settings != null && context != null && !all(settings).equals(all(ApplicationSettings.of(job)))) {
            context.stop();
        }
    }

    private static Set<Tuple2<String, String>> all(SparkConf settings) {
        return Set.of(settings.getAll());
    }

    private static @Nullable SparkContext running() {
        Option<SparkContext> active = SparkContext$.MODULE$.getActive();
        return active.isEmpty() || active.get().isStopped() ? null : active.get();
    }

    private static void requirePlugin(SparkContext context) throws IOException {
        String plugins = context.conf().get(ApplicationSettings.PLUGINS, "");
        if (!context.isLocal() && !Arrays.asList(plugins.split(",", -1)).contains(MapReducePlugin.class.getName())) {
            throw new IOException("the program's SparkContext has no " + MapReducePlugin.class.getName()
                    + ", which its executors need to run MapReduce tasks: add it to " + ApplicationSettings.PLUGINS);
        }
    }

    /** Ends the use by one job. */
    static synchronized void leave(long idleSeconds) {
        jobs--;
        if (jobs == 0 && own != null && threadLost) {
            LOG.warn("the Spark application {} ends, because a task keeps one of its threads", own.applicationId());
            own.stop();
            own = null;
        } else if (jobs == 0 && own != null) {
            end = TIMER.schedule(SparkApplication::stopIfIdle, idleSeconds, TimeUnit.SECONDS);
        }
    }

    /** A task keeps a thread of this application, which runs in this JVM; our own one ends when it has no job. */
    static synchronized void lostThread(SparkContext context) {
        if (context == own) {
            threadLost = true;
        } else {
            LOG.warn("a task keeps one of the threads of the program's own Spark application");
        }
    }

    private static void stopIfIdle() {
        SparkContext idle;
        synchronized (SparkApplication.class) {
            if (jobs > 0 || own == null) {
                return;
            }
            idle = own;
            own = null;
            if (!idle.isStopped()) {
                LOG.info("no job for a while: the Spark application {} ends", idle.applicationId());
                idle.stop();
            }
        }
    }

    /** Returns how many tasks run at a time, as far as that is known. */
    static synchronized int slots(Configuration conf) {
        SparkContext active = running();
        if (active != null) {
            return Math.max(1, active.defaultParallelism());
        }
        String master = conf.getTrimmed(ApplicationSettings.MASTER, conf.get("spark.master", ""));
        java.util.regex.Matcher cores = java.util.regex.Pattern.compile(
                        "local\\[(\\d+).*|local-cluster\\[(\\d+),(\\d+).*")
                .matcher(master);
        if (cores.matches()) {
            return cores.group(1) != null
                    ? Integer.parseInt(cores.group(1))
                    : Integer.parseInt(cores.group(2)) * Integer.parseInt(cores.group(3));
        }
        return Math.max(conf.getInt("spark.cores.max", 0), Runtime.getRuntime().availableProcessors());
    }
}
