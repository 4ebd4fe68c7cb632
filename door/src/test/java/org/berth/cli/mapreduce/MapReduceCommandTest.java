package org.berth.cli.mapreduce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.berth.cli.CommandLines;
import org.berth.oracle.Child;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.w3c.dom.NodeList;

/** What is wrong is one line; the jobs themselves are tested in carry/mapreduce/standalone. */
class MapReduceCommandTest {
    @TempDir
    Path work;

    static Stream<Arguments> mistakes() {
        return Stream.of(
                Arguments.of("--engine", "tez", "choose from [embedded, spark]"),
                Arguments.of("--threads", "0", "--threads 0: not a count"),
                Arguments.of("--workers", "x", "--workers x: not a count"),
                Arguments.of("--level", "socket", "--level"),
                Arguments.of("-D", "novalue", "write -D name=value"),
                Arguments.of("--heap", "much", "--heap much: not a size"),
                Arguments.of("--conf", "/none/such", "there is no such directory"));
    }

    @ParameterizedTest
    @MethodSource("mistakes")
    void mistakeIsOneLineWithItsRemedy(String option, String value, String words) throws Exception {
        Path jar = Files.createFile(work.resolve("app.jar"));
        Child.Result result = CommandLines.run("mapreduce", option, value, jar.toString(), "in", "out");
        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.err().lines()).hasSize(1);
        assertThat(result.err()).contains(words);
    }

    @Test
    void jarThatIsMissingIsNamedAndLaterWordsAreNotOptions() {
        Child.Result result = CommandLines.run("mapreduce", "none.jar", "--level", "x");
        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.err().lines()).hasSize(1);
        assertThat(result.err()).contains("cannot find the jar none.jar");
    }

    @Test
    void withoutTheScriptThereIsNoEngine() throws Exception {
        Path jar = Files.createFile(work.resolve("app.jar"));
        Child.Result result = CommandLines.run("mapreduce", jar.toString());
        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.err()).contains("start './berth mapreduce' there");
    }

    @Test
    void sparkWithoutItsDriverIsRefusedAndFoundInAFolder() throws Exception {
        Path folder = Files.createDirectories(work.resolve("lib"));
        String classPath = "/none/such/*:" + folder + "/*";
        assertThatThrownBy(() -> SparkDriver.require(classPath))
                .hasMessageContaining("HADOOP_CLASSPATH does not have the driver")
                .hasMessageNotContaining("\n");
        assertThatThrownBy(() -> SparkDriver.require("")).hasMessageContaining("carry/mapreduce/spark");
        Path jar = Files.createFile(folder.resolve("berth-mapreduce-spark-1.jar"));
        SparkDriver.require(classPath);
        SparkDriver.require(jar.toString());
    }

    @Test
    void propertiesSurviveTheirFile() throws Exception {
        String value = "<&> \"\u00fc\" ${user.name}";
        Path folder = JobProperties.write(Map.of("a.b", value));
        try {
            NodeList values = DocumentBuilderFactory.newInstance()
                    .newDocumentBuilder()
                    .parse(folder.resolve("berth-site.xml").toFile())
                    .getElementsByTagName("value");
            assertThat(values.getLength()).isEqualTo(1);
            assertThat(values.item(0).getTextContent()).isEqualTo(value);
        } finally {
            Files.delete(folder.resolve("berth-site.xml"));
            Files.delete(folder);
        }
    }
}
