package org.berth.spark;

import java.util.Map;
import org.apache.spark.SparkContext;
import org.apache.spark.api.plugin.DriverPlugin;
import org.apache.spark.api.plugin.PluginContext;
import org.berth.binding.Reason;
import org.berth.spark.settings.AffinitySettings;
import org.berth.spark.settings.BirthOption;
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
 * The driver's side: takes the statuses of the executors and shows them in the web UI and as metrics. Nothing may get out
 * of it: an exception in {@code init} ends the application.
 */
final class AffinityDriverPlugin implements DriverPlugin {
    private static final Logger LOG = LoggerFactory.getLogger(AffinitySettings.PLUGIN);

    private final StatusBook book = new StatusBook();

    @Override
    public Map<String, String> init(SparkContext spark, PluginContext context) {
        try {
            BirthOption.advice(
                            context.conf(),
                            AffinitySettings.of(context.conf(), "").level())
                    .ifPresent(advice -> LOG.info("Berth: {}", advice));
        } catch (Exception | LinkageError e) {
            LOG.debug("Berth: a setting is not understood; each executor says so", e);
        }
        try {
            spark.addSparkListener(new StatusListener(book));
            StatusMetrics.registerDriver(context, book);
        } catch (Exception | LinkageError e) {
            LOG.warn("Berth: no sums in the metrics of the driver: {}", Reason.of(e));
        }
        try {
            UiTab.attach(spark, book);
        } catch (Exception | LinkageError e) {
            LOG.warn(
                    "Berth: no tab Affinity in the web UI of Spark {}; the metrics are there: {}",
                    spark.version(),
                    e.toString().lines().findFirst().orElse(""));
        }
        return Map.of();
    }

    /**
     * True when the driver wants the sender's {@link StatusTopology} now, else null: an answer to a message that wants none
     * would be a warning of Spark's, and a class of ours might not be there yet when the answer arrives.
     */
    @Override
    public @Nullable Object receive(Object message) {
        try {
            if (message instanceof ExecutorStatus status) {
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
