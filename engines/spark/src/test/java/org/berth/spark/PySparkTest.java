package org.berth.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.berth.binding.LocalMachine;
import org.berth.topology.CpuSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Real PySpark, where it is installed: the workers themselves say where they are. */
@Timeout(300)
class PySparkTest {
    private static final String JOB = """
            import os, sys, time
            from pyspark import SparkConf, SparkContext

            conf = SparkConf().setMaster("local[2]").set("spark.ui.enabled", "false")
            for setting in sys.argv[1:]:
                conf.set(*setting.split("=", 1))
            context = SparkContext(conf=conf)

            def task_mask():
                # The threads of this JVM that run tasks, as the kernel shows them.
                executor = os.popen("cut -d' ' -f4 /proc/%d/stat" % os.getppid()).read().strip()
                masks = set()
                for tid in os.listdir("/proc/%s/task" % executor):
                    lines = dict(line.split(":", 1) for line in open("/proc/%s/task/%s/status" % (executor, tid)))
                    if lines["Name"].strip() == "Executor task l":
                        masks.add(lines["Cpus_allowed_list"].strip())
                return masks

            def one_cpu(index, rows):
                # Until this worker is on one CPU, and the other task has said that its worker is, too.
                own = ""
                while True:
                    cpus = os.sched_getaffinity(0)
                    if len(cpus) == 1:
                        own = str(list(cpus)[0])
                        open(os.path.join(FOLDER, "on-%d" % index), "w").write(own)
                        if len([name for name in os.listdir(FOLDER) if name.startswith("on-")]) == 2:
                            break
                    time.sleep(0.05)
                yield "%s of %s" % (own, sorted(task_mask()))

            FOLDER = conf.get("spark.berth.test.folder")
            for line in context.parallelize(range(2), 2).mapPartitionsWithIndex(one_cpu).collect():
                print("worker on", line, flush=True)
            context.stop()
            """;

    @TempDir
    private Path folder;

    @Test
    void everyWorkerIsOnTheCpuOfItsTask() throws Exception {
        CpuSet allowed = LocalMachine.open().topology().allowedCpuSet();
        assumeTrue(allowed.size() >= 2, "two places need two CPUs, and this process may use " + allowed);
        assumeTrue(
                succeeds("python3", "-c", "import pyspark; assert pyspark.__version__.startswith('4.')"),
                "python3 has no pyspark 4.x (pip install pyspark)");
        String first = Integer.toString(allowed.first());
        String second =
                Integer.toString(allowed.minus(CpuSet.of(allowed.first())).first());
        Path job = Files.writeString(folder.resolve("job.py"), JOB);
        // PySpark brings Spark's jars; ours and what they need come before.
        String classPath = String.join(
                ":",
                List.of(System.getProperty("java.class.path").split(":", -1)).stream()
                        .filter(entry -> entry.matches(".*(/target/|berth-|/lwjgl|jspecify).*"))
                        .toList());
        ProcessBuilder builder = new ProcessBuilder(
                        "python3",
                        job.toString(),
                        "spark.plugins=" + ServicePlugin.class.getName(),
                        "spark.driver.extraClassPath=" + classPath,
                        ServicePlugin.SLOTS + "=" + first + "," + second,
                        "spark.berth.test.folder=" + Files.createDirectory(folder.resolve("on")))
                .redirectError(folder.resolve("err").toFile());
        builder.environment().put("SPARK_LOCAL_IP", "127.0.0.1");
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().put("PYSPARK_PYTHON", "python3");
        Process process = builder.start();
        try (BufferedReader out = process.inputReader()) {
            Set<String> lines = new HashSet<>(out.lines().toList());
            String both = " of ['" + first + "', '" + second + "']";
            assertThat(lines)
                    .as(Files.readString(folder.resolve("err")))
                    .containsExactlyInAnyOrder("worker on " + first + both, "worker on " + second + both);
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }

    static boolean succeeds(String... command) throws InterruptedException {
        try {
            return new ProcessBuilder(command)
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (java.io.IOException notThere) {
            return false;
        }
    }
}
