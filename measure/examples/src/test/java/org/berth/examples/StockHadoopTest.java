package org.berth.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.hadoop.util.RunJar;
import org.berth.mapreduce.programs.Programs;
import org.berth.oracle.Child;
import org.berth.oracle.ChildJvm;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * The programs where there is no Berth: what {@code hadoop jar} starts, with Hadoop's own libraries and its own engine. In the module
 * testing/programs-3.4 it runs with the oldest Hadoop that the programs support; here, with the newest one, and with all programs, only
 * when it is asked for.
 */
@Tag("cluster")
@Tag("one-jdk")
@EnabledIfSystemProperty(named = "berth.programs.stock", matches = "some|all")
class StockHadoopTest {
    @TempDir
    static Path folder;

    private static String classPath = "";

    private static Path jar = Path.of("");

    /** The configuration of an installation, and the jar as a user has it. */
    @BeforeAll
    static void install() throws Exception {
        Path conf = Files.createDirectory(folder.resolve("conf"));
        Files.writeString(conf.resolve("core-site.xml"), """
                <configuration>
                  <property><name>hadoop.tmp.dir</name><value>%s/tmp</value></property>
                </configuration>
                """.formatted(folder));
        Files.writeString(conf.resolve("mapred-site.xml"), """
                <configuration>
                  <property><name>mapreduce.client.completion.pollinterval</name><value>20</value></property>
                </configuration>
                """);
        Files.createDirectory(folder.resolve("tmp"));
        Files.writeString(conf.resolve("log4j.properties"), """
                log4j.rootLogger=WARN, err
                log4j.appender.err=org.apache.log4j.ConsoleAppender
                log4j.appender.err.target=System.err
                log4j.appender.err.layout=org.apache.log4j.SimpleLayout
                """);
        List<String> libraries = Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .filter(path -> path.matches(".*/(?!berth)[^/]*\\.jar"))
                .toList();
        assertThat(libraries).anyMatch(path -> path.contains("hadoop-common"));
        classPath = conf + File.pathSeparator + String.join(File.pathSeparator, libraries);
        jar = jar();
    }

    /** Made of the classes, unless Maven has made it already. */
    private static Path jar() throws IOException, URISyntaxException {
        Path classes = Path.of(Programs.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        if (Files.isRegularFile(classes)) {
            return classes;
        }
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, Programs.class.getName());
        Path made = folder.resolve("programs.jar");
        try (OutputStream file = Files.newOutputStream(made);
                JarOutputStream out = new JarOutputStream(file, manifest);
                Stream<Path> paths = Files.walk(classes)) {
            for (Path path : paths.filter(Files::isRegularFile).toList()) {
                String name = classes.relativize(path).toString();
                if (!name.startsWith("META-INF")) {
                    out.putNextEntry(new JarEntry(name));
                    Files.copy(path, out);
                    out.closeEntry();
                }
            }
        }
        return made;
    }

    /** Runs {@code hadoop jar}, and returns the lines of the program's output. */
    private static List<String> run(String input, String... words) throws IOException {
        Path in = Files.writeString(folder.resolve(words[0] + ".in"), input);
        Path out = folder.resolve(words[0] + ".out");
        List<String> all = new ArrayList<>(List.of(jar.toString()));
        all.addAll(List.of(words));
        all.addAll(List.of(in.toString(), out.toString()));
        Child.Result result = ChildJvm.of(RunJar.class, all.toArray(String[]::new))
                .classPath(classPath)
                .with("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto")
                .run();
        assertThat(result.exitCode()).as(result.err()).isZero();
        try (Stream<Path> files = Files.list(out)) {
            List<String> lines = new ArrayList<>();
            for (Path file : files.filter(path -> !path.getFileName().toString().matches("[._].*"))
                    .sorted()
                    .toList()) {
                lines.addAll(Files.readAllLines(file));
            }
            return lines;
        }
    }

    private static String bases(int number) {
        Random random = new Random(3);
        return IntStream.range(0, number)
                .mapToObj(i -> "ACGT".substring(random.nextInt(4)).substring(0, 1))
                .collect(Collectors.joining());
    }

    private static String read(String name, String bases, char quality) {
        return "@" + name + "\n" + bases + "\n+\n" + String.valueOf(quality).repeat(bases.length()) + "\n";
    }

    @Test
    void pointsHaveTheirClusters() throws Exception {
        assertThat(run("0,0\n0,2\n10,10\n10,12\n", "kmeans", "--clusters", "2"))
                .containsExactly("0.0,1.0", "10.0,11.0");
    }

    @Test
    @EnabledIfSystemProperty(named = "berth.programs.stock", matches = "all")
    void ranksAndLabelsAreThoseOfAnyEngine() throws Exception {
        assertThat(run("a b\nb a\n", "pagerank", "--iterations", "1")).containsExactly("a\t0.5", "b\t0.5");
        assertThat(run("b a\nc b\ne\n", "components")).containsExactlyInAnyOrder("a\ta", "b\ta", "c\ta", "e\te");
    }

    @Test
    void theBetterOfTwoEqualReadsIsKept() throws Exception {
        String bases = bases(100);
        String input = read("poor", bases, '5') + read("good", bases, 'I') + read("other", bases.substring(1), '5');
        assertThat(run(input, "duplicates")).contains("@good", "@other").doesNotContain("@poor");
    }

    @Test
    @EnabledIfSystemProperty(named = "berth.programs.stock", matches = "all")
    void aWrongBaseIsCorrected() throws Exception {
        String bases = bases(100);
        String wrong = bases.substring(0, 50) + (bases.charAt(50) == 'A' ? 'C' : 'A') + bases.substring(51);
        String input =
                IntStream.range(0, 9).mapToObj(i -> read("r" + i, bases, 'I')).collect(Collectors.joining())
                        + read("wrong", wrong, '#');
        List<String> lines = run(input, "correction", "--sample", "1");
        assertThat(lines).hasSize(40).contains("@wrong").doesNotContain(wrong);
        assertThat(lines.stream().filter(bases::equals)).hasSize(10);
    }

    @Test
    void aGenomeHasItsReads() throws Exception {
        List<String> lines = run(">g\n" + bases(1000) + "\n", "simulate-reads", "--fragments", "20");
        assertThat(lines).hasSize(80);
    }
}
