package org.berth.mapreduce.spark;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

class ApplicationSettingsTest {
    @Test
    void thePluginHasTheLevelOfTheJobUnlessItHasItsOwn() {
        Configuration job = new Configuration(false);
        job.set("berth.mapreduce.level", "core");
        assertThat(ApplicationSettings.of(job).get("spark.berth.level")).isEqualTo("core");

        job.set("spark.berth.level", "numa");
        assertThat(ApplicationSettings.of(job).get("spark.berth.level")).isEqualTo("numa");
    }
}
