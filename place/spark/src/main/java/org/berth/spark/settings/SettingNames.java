package org.berth.spark.settings;

import java.util.Arrays;
import java.util.List;
import org.apache.spark.SparkConf;
import org.berth.placement.internal.UnknownSettings;
import org.berth.spark.conf.SparkKeys;
import org.berth.spark.threads.ServiceSettings;
import scala.Tuple2;

/** The names of the plugin's settings. */
public final class SettingNames {

    private SettingNames() {}

    /** One line for each setting of an application that looks like one of the plugin's and is none. */
    public static List<String> unknown(SparkConf conf) {
        List<String> given = Arrays.stream(conf.getAll())
                .map(Tuple2::_1)
                .filter(name -> name.startsWith(SparkKeys.PREFIX))
                // Each executor reports a role that is unknown.
                .filter(name -> !name.startsWith(ServiceSettings.THREADS + "."))
                .toList();
        return UnknownSettings.of(
                given,
                List.of(
                        SparkKeys.LEVEL,
                        SparkKeys.PLAN,
                        AffinitySettings.WARM_UP,
                        AffinitySettings.MIN_TASK_MILLIS,
                        ServiceSettings.THREADS,
                        ServiceSettings.NETWORK_CARD,
                        ServiceSettings.PYTHON));
    }
}
