package org.berth.spark.settings;

import java.util.ArrayList;
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

    /** One line for each setting of an application that looks like one of the plugin's and is none, or none any more. */
    public static List<String> unknown(SparkConf conf) {
        List<String> given = Arrays.stream(conf.getAll())
                .map(Tuple2::_1)
                .filter(name -> name.startsWith(SparkKeys.PREFIX))
                // Each executor reports a role that is unknown.
                .filter(name -> !name.startsWith(ServiceSettings.THREADS + "."))
                .toList();
        List<String> lines = new ArrayList<>();
        List<String> names = new ArrayList<>();
        for (String name : given) {
            if (AffinitySettings.REPLACED.contains(name)) {
                lines.add(name + " does nothing any more: " + AffinitySettings.GUARD
                        + "=off binds each task to its slot alone");
            } else {
                names.add(name);
            }
        }
        lines.addAll(UnknownSettings.of(
                names,
                List.of(
                        SparkKeys.LEVEL,
                        SparkKeys.PLAN,
                        AffinitySettings.GUARD,
                        ServiceSettings.THREADS,
                        ServiceSettings.NETWORK_CARD,
                        ServiceSettings.PYTHON)));
        return lines;
    }
}
