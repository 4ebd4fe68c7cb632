package org.berth.cli.mapreduce;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.berth.cli.shared.CommandException;
import org.berth.cli.shared.Terminal;
import org.berth.cli.shared.arguments.Arguments;
import org.berth.placement.internal.NearestWord;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code berth mapreduce}: the {@code berth} script becomes the JVM of the job, so signals and exit code are the job's. */
@Command(
        name = "mapreduce",
        synopsisHeading = "Usage: ",
        description = {
            "Run a Hadoop job jar, unchanged, on Berth's MapReduce engine; no Hadoop installation is needed.",
            "The first start builds the engine and fetches Hadoop's libraries. Progress, messages and exit code are those of"
                    + " Hadoop's own client; ^C kills the job and removes its temporary output."
        },
        footer = {
            "",
            "berth mapreduce hadoop-mapreduce-examples.jar wordcount in out",
            "berth mapreduce --level core --threads 8 app.jar org.example.Main -D mapreduce.job.reduces=4 in out",
            "berth mapreduce --conf /etc/hadoop/conf app.jar hdfs://namenode:8020/in hdfs://namenode:8020/out"
        })
public final class MapReduceCommand implements Callable<Integer> {
    private static final List<String> ENGINES = List.of("embedded", "spark");

    @Option(
            names = "--engine",
            paramLabel = "NAME",
            description = "What runs the tasks: embedded (the default; threads of one JVM), or spark.")
    private Optional<String> engine = Optional.empty();

    @Option(
            names = "--workers",
            paramLabel = "N",
            description = "Executors of Spark; the embedded engine is one process.")
    private Optional<String> workers = Optional.empty();

    @Option(
            names = "--threads",
            paramLabel = "N",
            description = "Worker threads of the embedded engine; default: the CPUs that it may use.")
    private Optional<String> threads = Optional.empty();

    @Option(
            names = "--level",
            paramLabel = "LEVEL",
            description = "How tightly worker threads are bound: none (the default), numa, package, l3, core, or pu.")
    private Optional<String> level = Optional.empty();

    @Option(
            names = "-D",
            paramLabel = "K=V",
            description = "A Hadoop property, also for programs without -D. Repeatable.")
    private List<String> properties = new ArrayList<>();

    @Option(
            names = "--conf",
            paramLabel = "DIR",
            description = "Directory with Hadoop's core-site.xml, hdfs-site.xml, mapred-site.xml, log4j.properties.")
    private Optional<Path> conf = Optional.empty();

    @Option(names = "--heap", paramLabel = "SIZE", description = "Maximum heap of the JVM, such as 8g (java -Xmx).")
    private Optional<String> heap = Optional.empty();

    @Parameters(
            arity = "1..*",
            paramLabel = "app.jar [MAIN] ARG",
            description = "The jar, its main class if the manifest names none, and the program's arguments.")
    private List<String> words = new ArrayList<>();

    private final Terminal terminal;

    public MapReduceCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        Map<String, String> settings = settings();
        conf.filter(folder -> !Files.isDirectory(folder)).ifPresent(folder -> {
            throw CommandException.usage(
                    "--conf " + folder + ": there is no such directory; give the one with core-site.xml");
        });
        heap.filter(size -> !size.matches("[1-9][0-9]*[kKmMgGtT]?")).ifPresent(size -> {
            throw CommandException.usage("--heap " + size + ": not a size; write a number with k, m or g, such as 8g");
        });
        Path jar = Path.of(words.get(0));
        if (!Files.isRegularFile(jar)) {
            throw CommandException.usage("cannot find the jar " + jar
                    + ": there is no such file; the first word after the" + " options is the path of the job's jar");
        }
        if (settings.getOrDefault(JobProperties.ENGINE, "").equals("spark")) {
            SparkDriver.require(System.getenv().getOrDefault("HADOOP_CLASSPATH", ""));
        }
        if (settings.getOrDefault(JobProperties.ENGINE, "").equals("embedded") && workers.isPresent() && !oneWorker()) {
            terminal.err()
                    .println("berth: --workers has no effect: the embedded engine is one process; use --engine spark"
                            + " for several");
        }
        new JobJvm(conf, heap).launch(settings, words).handOver();
        return 0;
    }

    private boolean oneWorker() {
        return workers.orElse("1").equals("1");
    }

    /** Options first, so that {@code -D} has the last word. */
    private Map<String, String> settings() {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put(JobProperties.FRAMEWORK, "berth");
        String driver = engine.orElse("embedded");
        if (!ENGINES.contains(driver)) {
            throw CommandException.usage("--engine " + driver + ": there is no such engine; choose from " + ENGINES
                    + NearestWord.hint(driver, ENGINES));
        }
        settings.put(JobProperties.ENGINE, driver);
        threads.ifPresent(
                text -> settings.put(JobProperties.THREADS, Integer.toString(Arguments.count("--threads", text))));
        workers.ifPresent(text -> {
            int count = Arguments.count("--workers", text);
            if (driver.equals("spark")) {
                settings.put(JobProperties.WORKERS, Integer.toString(count));
            }
        });
        level.ifPresent(
                text -> settings.put(JobProperties.LEVEL, Arguments.level(text).word()));
        for (String property : properties) {
            int equals = property.indexOf('=');
            if (equals < 1) {
                throw CommandException.usage("-D " + property + ": not a property; write -D name=value");
            }
            settings.put(property.substring(0, equals), property.substring(equals + 1));
        }
        return settings;
    }
}
