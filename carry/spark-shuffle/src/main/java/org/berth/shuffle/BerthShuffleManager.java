package org.berth.shuffle;

import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;
import org.apache.spark.shuffle.sort.SortShuffleManager;
import org.berth.shuffle.shared.ShuffleSettings;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Spark's sort shuffle, whose reducers fetch the blocks of other executors over Berth's transport. What the transport does not
 * carry takes Spark's own way, and a log line gives the reason.
 */
public final class BerthShuffleManager extends SortShuffleManager {
    private static final Logger LOG = LoggerFactory.getLogger(BerthShuffleManager.class);

    private final @Nullable ShuffleEngine engine;

    /** Called by Spark, in the driver before its scheduler starts and in an executor before its first task. */
    public BerthShuffleManager(SparkConf conf, boolean isDriver) {
        super(conf);
        this.engine = isDriver ? inDriver(conf) : inExecutor(conf);
    }

    private static @Nullable ShuffleEngine inDriver(SparkConf conf) {
        try {
            String master = conf.get("spark.master", "");
            if (master.equals("local") || master.startsWith("local[")) {
                LOG.info("Berth: all shuffle blocks are local with master {}; no transport is opened", master);
                return null;
            }
            SparkEnv env = SparkEnv.get();
            String reason = SparkPath.reason(conf, env.securityManager());
            if (reason != null) {
                LOG.warn("Berth: {}", reason);
                return null;
            }
            ShuffleSettings settings = ShuffleSettings.read(conf);
            for (String key : ShuffleSettings.unknown(conf)) {
                LOG.warn("Berth: the setting {} is unknown and has no effect", key);
            }
            AddressBook.open(env.rpcEnv());
            LOG.info("Berth: executors fetch shuffle blocks over the transport ({})", settings.describe());
        } catch (Exception | LinkageError e) {
            LOG.warn(
                    "Berth: shuffle blocks take Spark's own way, because the driver cannot prepare the transport: {}",
                    e.toString());
        }
        return null;
    }

    private static @Nullable ShuffleEngine inExecutor(SparkConf conf) {
        SparkEnv env = SparkEnv.get();
        try {
            String reason = SparkPath.reason(conf, env.securityManager());
            if (reason != null) {
                LOG.info("Berth: {}", reason);
                return null;
            }
            return ShuffleEngine.start(conf, env);
        } catch (Exception | LinkageError e) {
            LOG.warn(
                    "Berth: shuffle blocks of executor {} take Spark's own way, because the transport does not start: {}",
                    env.executorId(),
                    e.toString());
            return null;
        }
    }

    @Override
    public void stop() {
        if (engine != null) {
            engine.close();
        }
        super.stop();
    }
}
