package org.berth.spark;

import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.spark.SparkContext;
import org.apache.spark.api.plugin.DriverPlugin;
import org.apache.spark.api.plugin.PluginContext;
import org.berth.binding.internal.jvm.FailureText;
import org.berth.spark.conf.SparkKeys;
import org.berth.spark.settings.AffinitySettings;
import org.berth.spark.settings.AgentAdvice;
import org.berth.spark.settings.SettingNames;
import org.berth.spark.status.ExecutorStatus;
import org.berth.spark.status.StatusBook;
import org.berth.spark.status.StatusListener;
import org.berth.spark.status.StatusMetrics;
import org.berth.spark.status.StatusTopology;
import org.berth.spark.ui.UiTab;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The driver's side: receives the statuses of the executors and shows them in the web UI and as metrics. No exception may
 * leave it: one in {@code init} ends the application.
 */
final class AffinityDriverPlugin implements DriverPlugin {
    private static final Logger LOG = LoggerFactory.getLogger(SparkKeys.PLUGIN);

    private final StatusBook book = new StatusBook();

    /** Until its tab is there, when that waits for the first status. */
    private final AtomicReference<@Nullable SparkContext> tabless = new AtomicReference<>();

    @Override
    public Map<String, String> init(SparkContext spark, PluginContext context) {
        SettingNames.unknown(context.conf()).forEach(line -> LOG.warn("Berth: {}", line));
        boolean later = false;
        try {
            AffinitySettings settings = AffinitySettings.of(context.conf(), "");
            later = !settings.bindsAtOnce();
            if (!settings.local()) {
                AgentAdvice.advice(context.conf(), settings.level()).ifPresent(advice -> LOG.info("Berth: {}", advice));
            }
        } catch (Exception | LinkageError e) {
            LOG.debug("Berth: a setting is not valid; each executor logs the reason", e);
        }
        try {
            StatusMetrics.registerDriver(context, book);
        } catch (Exception | LinkageError e) {
            LOG.warn("Berth: no sums in the metrics of the driver: {}", FailureText.of(e));
        }
        if (later) {
            // An application that ends before its tasks are bound has nothing to show, and does not pay for the tab.
            tabless.set(spark);
        } else {
            show(spark);
        }
        return Map.of();
    }

    private void show(SparkContext spark) {
        try {
            listen(spark, new StatusListener(book));
        } catch (Exception | LinkageError e) {
            LOG.warn("Berth: lost executors stay in the tab Affinity: {}", FailureText.of(e));
        }
        try {
            UiTab.attach(spark, book);
        } catch (Exception | LinkageError e) {
            LOG.warn(
                    "Berth: no tab Affinity in the web UI of Spark {}, only the metrics: {}",
                    spark.version(),
                    e.toString().lines().findFirst().orElse(""));
        }
    }

    /**
     * Adds the listener to the queue that Spark's own status store has anyway. A listener that is added in the public way
     * gets the queue of shared listeners, which Spark creates for the first of them, with a thread that wakes for each task's
     * start and end: 20,000 empty tasks then cost 30,000 more context switches and about a tenth more CPU time.
     */
    private static void listen(SparkContext spark, StatusListener listener) {
        try {
            spark.listenerBus().addToStatusQueue(listener);
        } catch (LinkageError notInThisSpark) { // the method is public in the class file only
            spark.addSparkListener(listener);
        }
    }

    /**
     * Returns true when the driver wants the sender's {@link StatusTopology}, else null: Spark warns about an answer to a
     * message that expects none, and a class of the plugin may not be loadable yet when the answer arrives.
     */
    @Override
    public @Nullable Object receive(Object message) {
        try {
            if (message instanceof ExecutorStatus status) {
                SparkContext waiting = tabless.getAndSet(null);
                if (waiting != null) {
                    show(waiting);
                }
                return book.put(status, System.currentTimeMillis()) ? Boolean.TRUE : null;
            }
            if (message instanceof StatusTopology topology) {
                book.learn(topology);
            }
        } catch (RuntimeException | LinkageError e) {
            LOG.debug("Berth: a message of an executor was not understood", e);
        }
        return null;
    }
}
