package org.berth.examples.spark;

import java.io.Serializable;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Iterator;
import java.util.StringTokenizer;
import org.apache.hadoop.examples.terasort.TeraInputFormat;
import org.apache.hadoop.examples.terasort.TeraOutputFormat;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.berth.examples.HandWritten;
import scala.Tuple2;

/** What a Spark programmer would write; each ends with the output of Hadoop's example, byte for byte. */
public final class SparkPrograms implements HandWritten {
    private static final int REDUCES = 2;

    @Override
    public boolean run(String example, Path input, Path output, String master) throws Exception {
        if (!example.equals("WORDCOUNT") && !example.equals("TERASORT")) {
            return false;
        }
        SparkConf conf = new SparkConf()
                .setAppName(example)
                .setMaster(master)
                .set("spark.ui.enabled", "false")
                .set("spark.serializer", "org.apache.spark.serializer.KryoSerializer");
        try (JavaSparkContext spark = new JavaSparkContext(conf)) {
            if (example.equals("WORDCOUNT")) {
                wordCount(spark, input.toUri().toString(), output.toUri().toString());
            } else {
                teraSort(spark, input.toUri().toString(), output);
            }
        }
        return true;
    }

    private static void wordCount(JavaSparkContext spark, String input, String output) {
        spark.textFile(input)
                .flatMap(line -> words(line))
                .mapToPair(word -> new Tuple2<>(word, 1))
                .reduceByKey(Integer::sum)
                .sortByKey(true, 1)
                .map(count -> count._1() + "\t" + count._2())
                .saveAsTextFile(output);
    }

    private static Iterator<String> words(String line) {
        StringTokenizer tokens = new StringTokenizer(line);
        return new Iterator<>() {
            @Override
            public boolean hasNext() {
                return tokens.hasMoreTokens();
            }

            @Override
            public String next() {
                return tokens.nextToken();
            }
        };
    }

    private static void teraSort(JavaSparkContext spark, String input, Path output) throws Exception {
        Job job = Job.getInstance(spark.hadoopConfiguration());
        job.setOutputKeyClass(Text.class);
        job.setOutputValueClass(Text.class);
        job.setOutputFormatClass(TeraOutputFormat.class);
        FileOutputFormat.setOutputPath(job, new org.apache.hadoop.fs.Path(output.toUri()));
        spark.newAPIHadoopFile(input, TeraInputFormat.class, Text.class, Text.class, spark.hadoopConfiguration())
                // Hadoop's reader fills the same two objects again and again.
                .mapToPair(row -> new Tuple2<>(row._1().copyBytes(), row._2().copyBytes()))
                .sortByKey((Comparator<byte[]> & Serializable) Arrays::compareUnsigned, true, REDUCES)
                .mapToPair(row -> new Tuple2<>(new Text(row._1()), new Text(row._2())))
                .saveAsNewAPIHadoopDataset(job.getConfiguration());
    }
}
