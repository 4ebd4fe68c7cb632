package org.berth.mapreduce.spark;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.berth.oracle.ChildJvm;

/** JVMs of a cluster on this host. */
final class SparkJvm {
    private SparkJvm() {}

    static ChildJvm of(Class<?> main, Path work, String... arguments) throws IOException {
        // Where Spark looks for its jars; they are on the class path.
        Files.createDirectories(work.resolve("home/jars"));
        return ChildJvm.of(main, arguments)
                .with("-Xmx512m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")
                .environment("SPARK_HOME", work.resolve("home").toString())
                .environment("SPARK_SCALA_VERSION", "2.13")
                .environment("SPARK_LOCAL_IP", "127.0.0.1")
                .environment("SPARK_LOCAL_HOSTNAME", "localhost")
                .environment("JAVA_HOME", System.getProperty("java.home"))
                .environment("BERTH_LEASES", work.resolve("leases").toString());
    }

    static ChildJvm client(Path work, String master) throws IOException {
        return of(ClusterProgram.class, work, work.toString())
                .with("-Dspark.master=" + master)
                .with("-Dspark.berth.guard=off")
                .with("-Dspark.local.dir=" + work.resolve("spark"))
                .with("-Dspark.executor.extraClassPath=" + System.getProperty("java.class.path"))
                .with("-Dspark.executor.memory=512m")
                .with("-Dspark.executor.extraJavaOptions=-XX:TieredStopAtLevel=1 -XX:+UseParallelGC");
    }
}
