package org.berth.shuffle;

import org.apache.spark.SecurityManager;
import org.apache.spark.SparkConf;
import org.jspecify.annotations.Nullable;

/** Decides by the configuration whether an application may use the transport. */
final class SparkPath {
    private static final String OWN_WAY = "; shuffle blocks take Spark's own way";

    private SparkPath() {}

    /** Returns why all blocks take Spark's own way, as one line; null when the transport may carry them. */
    static @Nullable String reason(SparkConf conf, SecurityManager security) {
        if (security.isAuthenticationEnabled()) {
            return "spark.authenticate is on, and the transport does not authenticate" + OWN_WAY;
        }
        if (security.isEncryptionEnabled() || conf.getBoolean("spark.network.crypto.enabled", false)) {
            return "spark.network.crypto.enabled is on, and the transport does not encrypt" + OWN_WAY;
        }
        if (security.isSslRpcEnabled()) {
            return "spark.ssl.rpc.enabled is on, and the transport does not encrypt" + OWN_WAY;
        }
        if (conf.getBoolean("spark.shuffle.service.enabled", false)) {
            return "spark.shuffle.service.enabled is on, and the shuffle service serves the blocks instead of executors"
                    + OWN_WAY;
        }
        return null;
    }
}
