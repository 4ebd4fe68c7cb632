package org.berth.shipped;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.util.ToolRunner;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;

/** A user's application of Spark that runs a MapReduce job in its own context. */
public final class WordCountInSpark {
    private WordCountInSpark() {}

    public static void main(String[] arguments) throws Exception {
        try (JavaSparkContext context = new JavaSparkContext(new SparkConf().setAppName("words"))) {
            System.out.println("code " + ToolRunner.run(new Configuration(), new WordCount(), arguments));
            System.out.println(
                    "executors " + (context.sc().getExecutorMemoryStatus().size() - 1));
        }
    }
}
