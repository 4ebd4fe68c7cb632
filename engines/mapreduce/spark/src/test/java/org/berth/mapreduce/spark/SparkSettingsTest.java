package org.berth.mapreduce.spark;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.hadoop.conf.Configuration;
import org.apache.spark.SparkConf;
import org.junit.jupiter.api.Test;

class SparkSettingsTest {
    @Test
    void levelAndEdgeAreThoseOfThePluginUnlessItHasItsOwn() {
        Configuration job = new Configuration(false);
        job.set("berth.mapreduce.level", "core");
        assertThat(SparkSettings.of(job).contains("spark.berth.edge")).isFalse();

        job.set("berth.mapreduce.edge", " soft ");
        SparkConf conf = SparkSettings.of(job);
        assertThat(conf.get("spark.berth.level")).isEqualTo("core");
        assertThat(conf.get("spark.berth.edge")).isEqualTo("soft");

        job.set("spark.berth.edge", "hard");
        assertThat(SparkSettings.of(job).get("spark.berth.edge")).isEqualTo("hard");
    }
}
