package org.berth.microbenchmarks;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * What the YARN listener does in the NodeManager's dispatcher thread for a container that is about to be launched, beside
 * what Hadoop needs there for the container's own object; the objects are Hadoop's.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class ContainerBenchmark {
    /** The command of a mapper, in the form of MapReduce. */
    private static final String COMMAND = "$JAVA_HOME/bin/java -Djava.net.preferIPv4Stack=true -Xmx820m"
            + " -Djava.io.tmpdir=$PWD/tmp -Dyarn.app.container.log.dir=<LOG_DIR> -Dhadoop.root.logger=INFO,CLA"
            + " org.apache.hadoop.mapred.YarnChild 127.0.0.1 35343 attempt_1_0001_m_000000_0 2"
            + " 1><LOG_DIR>/stdout 2><LOG_DIR>/stderr";

    private final Path leases = YarnContainers.temporaryFolder();
    private final YarnContainers containers = new YarnContainers(leases);

    @TearDown
    public void delete() throws IOException {
        YarnContainers.delete(leases);
    }

    @Benchmark
    public List<String> yarnContainerBerth() {
        return containers.listened(List.of(COMMAND));
    }

    @Benchmark
    public Map<String, String> yarnContainerHadoop() {
        return containers.made(List.of(COMMAND)).getLaunchContext().getEnvironment();
    }
}
