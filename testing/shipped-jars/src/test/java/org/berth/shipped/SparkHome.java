package org.berth.shipped;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.berth.oracle.Child;
import org.berth.oracle.ChildJvm;
import org.berth.oracle.JarFiles;

/**
 * A Spark with nothing of Berth, as its users unpack it. Its executors' class path is what is in its folder of jars.
 *
 * @param folder its home
 * @param more variables of its commands
 */
record SparkHome(Path folder, Map<String, String> more) {
    private static final String CONF = "HADOOP_CONF_DIR";

    /** What Spark's own spark-class does: its launcher writes the words of the command, after an empty one. */
    private static final String SUBMIT = """
            #!/usr/bin/env bash
            mapfile -d '' -t words < <("$JAVA_HOME/bin/java" -Xmx128m -cp "$SPARK_HOME/jars/*" \\
              org.apache.spark.launcher.Main org.apache.spark.deploy.SparkSubmit "$@")
            words=("${words[1]#$'\\n'}" "${words[@]:2}")
            exec "${words[@]}"
            """;

    /** Spark writes into its home, so that a given one is reached through links. */
    static SparkHome in(Path folder) throws IOException {
        Path home = Files.createDirectories(folder.resolve("home"));
        String given = System.getProperty("berth.spark.home", "");
        if (!given.isEmpty()) {
            for (String part : List.of("jars", "bin")) {
                Files.createSymbolicLink(
                        home.resolve(part), Path.of(given, part).toRealPath());
            }
            return new SparkHome(home, Map.of());
        }
        Path jars = Files.createDirectories(home.resolve("jars"));
        for (String jar : JarFiles.engine().split(":", -1)) {
            Path file = Path.of(jar);
            Files.createSymbolicLink(jars.resolve(file.getFileName()), file);
        }
        Path submit = Files.createDirectories(home.resolve("bin")).resolve("spark-submit");
        Files.writeString(submit, SUBMIT);
        if (!submit.toFile().setExecutable(true)) {
            throw new IOException("cannot make " + submit + " executable");
        }
        return new SparkHome(home, Map.of());
    }

    /** The same with the configuration of a Hadoop. */
    SparkHome withHadoop(Path conf) {
        return new SparkHome(folder, Map.of(CONF, conf.toString()));
    }

    /** The version, by the name of Spark's own jar. */
    String version() throws IOException {
        try (Stream<Path> jars = Files.list(folder.resolve("jars"))) {
            return jars.map(jar -> jar.getFileName().toString())
                    .filter(name -> name.startsWith("spark-core_"))
                    .findFirst()
                    .orElseThrow()
                    .replaceAll("spark-core_[\\d.]+-(.*)\\.jar", "$1");
        }
    }

    /** Runs spark-submit to its end. */
    Child.Result submit(List<String> words) {
        List<String> command = new ArrayList<>(List.of("bash", folder + "/bin/spark-submit"));
        command.addAll(words);
        return Child.run(ChildJvm.withEnvironment(new ProcessBuilder(command), environment()));
    }

    /** Runs Hadoop's own {@code hadoop jar} to its end, with Spark's jars on the class path. */
    Child.Result hadoopJar(String before, List<String> words) {
        List<String> command = new ArrayList<>(List.of(
                ChildJvm.JAVA.toString(),
                "-Xmx512m",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                before + (more.containsKey(CONF) ? more.get(CONF) + ":" : "") + folder + "/jars/*",
                "org.apache.hadoop.util.RunJar"));
        command.addAll(words);
        return Child.run(ChildJvm.withEnvironment(new ProcessBuilder(command), environment()));
    }

    private Map<String, String> environment() {
        Map<String, String> all = new HashMap<>(Map.of(
                "SPARK_HOME",
                folder.toString(),
                "SPARK_SCALA_VERSION",
                "2.13",
                "SPARK_LOCAL_IP",
                "127.0.0.1",
                "SPARK_LOCAL_HOSTNAME",
                "localhost",
                "JAVA_HOME",
                System.getProperty("java.home"),
                "BERTH_LEASES",
                folder.resolveSibling("leases").toString()));
        all.putAll(more);
        return all;
    }

    /** What the executors of all applications have logged. */
    List<String> executorLogs() throws IOException {
        List<String> logs = new ArrayList<>();
        try (Stream<Path> files = Files.walk(folder.resolve("work"))) {
            for (Path file : files.filter(path -> path.endsWith("stderr")).toList()) {
                logs.add(Files.readString(file));
            }
        }
        return logs;
    }
}
