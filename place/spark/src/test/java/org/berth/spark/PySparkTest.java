package org.berth.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.berth.binding.LocalMachine;
import org.berth.oracle.Child;
import org.berth.oracle.Machine;
import org.berth.oracle.Tool;
import org.berth.spark.threads.ServicePlugin;
import org.berth.topology.CpuSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Real PySpark, where it is installed: the workers themselves say where they are. */
@Tag("cluster")
@Timeout(300)
public class PySparkTest {
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
                    try:
                        lines = dict(line.split(":", 1) for line in open("/proc/%s/task/%s/status" % (executor, tid)))
                    except OSError:
                        continue  # it has ended
                    if lines["Name"].strip() == "Executor task l":
                        masks.add(lines["Cpus_allowed_list"].strip())
                return masks

            def say(name, index, text):
                file = os.path.join(FOLDER, "%s-%d" % (name, index))
                open(file + ".new", "w").write(text)
                os.rename(file + ".new", file)

            def said(name):
                files = [os.path.join(FOLDER, "%s-%d" % (name, index)) for index in range(2)]
                return [open(file).read() for file in files if os.path.exists(file)]

            def one_cpu(index, rows):
                # Until each worker is on a CPU of its own: all inherit that of the task that started their daemon.
                own = ""
                while not (own.isdigit() and len(set(said("on"))) == 2 and all(cpus.isdigit() for cpus in said("on"))):
                    own = ",".join(str(cpu) for cpu in sorted(os.sched_getaffinity(0)))
                    say("on", index, own)
                    time.sleep(0.05)
                answer = "%s of %s" % (own, sorted(task_mask()))
                # The other one still wants to see this task.
                say("seen", index, "yes")
                while len(said("seen")) < 2:
                    time.sleep(0.05)
                yield answer

            FOLDER = conf.get("spark.test.berth.folder")
            for line in context.parallelize(range(2), 2).mapPartitionsWithIndex(one_cpu).collect():
                print("worker on", line, flush=True)
            context.stop()
            """;

    @TempDir
    private Path folder;

    @Test
    void everyWorkerIsOnTheCpuOfItsTask() throws Exception {
        CpuSet allowed = LocalMachine.open().topology().allowedCpuSet();
        Machine.requireCpus(2);
        Tool.requireSuccess("python3", "-c", "import pyspark; assert pyspark.__version__.startswith('4.')");
        String first = Integer.toString(allowed.first());
        String second =
                Integer.toString(allowed.minus(CpuSet.of(allowed.first())).first());
        Path job = Files.writeString(folder.resolve("job.py"), JOB);
        // PySpark brings Spark's jars; ours and what they need come before.
        String classPath = String.join(
                ":",
                List.of(System.getProperty("java.class.path").split(":", -1)).stream()
                        .filter(entry -> entry.matches(".*(/target/|berth-|jspecify).*"))
                        .toList());
        ProcessBuilder builder = new ProcessBuilder(
                "python3",
                job.toString(),
                "spark.plugins=" + ServicePlugin.class.getName(),
                "spark.driver.extraClassPath=" + classPath,
                ServicePlugin.SLOTS + "=" + first + "," + second,
                "spark.test.berth.folder=" + Files.createDirectory(folder.resolve("on")));
        builder.environment().put("SPARK_LOCAL_IP", "127.0.0.1");
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().put("PYSPARK_PYTHON", "python3");
        Child.Result result = Child.run(builder);
        String both = " of ['" + first + "', '" + second + "']";
        assertThat(Set.of(result.out().split("\n")))
                .as(result.err())
                .containsExactlyInAnyOrder("worker on " + first + both, "worker on " + second + both);
    }
}
