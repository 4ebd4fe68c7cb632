package org.berth.cli.conf;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import org.berth.cli.CommandLines;
import org.berth.machines.Machines;
import org.berth.oracle.Child.Result;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

class YarnConfTest {
    private static final String TWO_PACKAGES = "pack:2 [numa(memory=256GB)] l3:8 core:8 pu:2";

    @TempDir
    private Path folder;

    /** The same parts as those of 'berth split'; all containers of a host, and all tasks of MapReduce, fit into it exactly. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            l3      | 16 | 16  | l3
            numa    | 2  | 128 | numa
            package | 2  | 128 | package
            8       | 8  | 32  | core:16
            """)
    void containersAreThePartsOfAHost(String into, int parts, int cpus, String domain) throws Exception {
        Result result = CommandLines.run(
                "conf", "yarn", into.matches("\\d+") ? "--into" : "--domain", into, "--topology", TWO_PACKAGES);
        assertThat(result.err()).isEmpty();
        Map<String, String> properties = properties(result.out());
        assertThat(properties)
                .containsEntry("berth.yarn.domain", domain)
                .containsEntry("berth.yarn.memory", "local")
                .containsEntry("berth.yarn.launcher", "/opt/berth/bin/berth-exec")
                .containsEntry("yarn.nodemanager.resource.cpu-vcores", Integer.toString(parts * cpus))
                .containsEntry("yarn.scheduler.maximum-allocation-vcores", Integer.toString(cpus))
                .containsEntry("mapreduce.map.cpu.vcores", "1");
        long task = number(properties, "mapreduce.map.memory.mb");
        assertThat(number(properties, "yarn.scheduler.minimum-allocation-mb")).isEqualTo(task);
        assertThat(number(properties, "yarn.scheduler.maximum-allocation-mb")).isEqualTo(task * cpus);
        assertThat(number(properties, "yarn.nodemanager.resource.memory-mb"))
                .isEqualTo(task * cpus * parts)
                .isLessThan((2 * 256_000_000_000L) >> 20);
        long heap = Long.parseLong(
                properties.getOrDefault("mapreduce.map.java.opts", "").replaceAll("-Xmx(\\d+)m", "$1"));
        assertThat((double) heap / task).isBetween(0.79, 0.8);
        assertThat(number(properties, "yarn.app.mapreduce.am.resource.mb") % task)
                .isZero();
    }

    @Test
    void fewerTasksHaveMoreHeapEach() throws Exception {
        Map<String, String> properties = properties(CommandLines.run(
                        "conf",
                        "yarn",
                        "--domain",
                        "l3",
                        "--tasks",
                        "4",
                        "--heap",
                        "64g",
                        "--memory",
                        "bind",
                        "--topology",
                        TWO_PACKAGES)
                .out());
        assertThat(properties)
                .containsEntry("mapreduce.reduce.java.opts", "-Xmx1024m")
                .containsEntry("mapreduce.reduce.memory.mb", "1280")
                .containsEntry("yarn.app.mapreduce.am.resource.mb", "2560")
                .containsEntry("yarn.app.mapreduce.am.command-opts", "-Xmx1024m")
                .containsEntry("yarn.nodemanager.resource.memory-mb", Integer.toString(1280 * 4 * 16))
                .containsEntry("berth.yarn.memory", "bind");
    }

    @Test
    void whatDoesNotFitIsWrongUsage() {
        requireUsage("each of 16 tasks in a part would have a heap of 16 MiB", "--domain", "l3", "--heap", "4g");
        requireUsage("give at most --heap 80%", "--heap", "90%");
        requireUsage("--heap much: give the total heap of all processes", "--heap", "much");
        requireUsage("--tasks", "--tasks", "0");
        requireUsage("--into die: give a number of parts", "--into", "die");
        requireUsage("--domain and --into exclude each other", "--into", "2", "--domain", "l3");
    }

    @Test
    void aMachineWhoseMemoryIsNotKnownNeedsAHeap() throws Exception {
        String unknown = Machines.xml("2x8x2").replaceAll("local_memory=\"\\d+\"", "local_memory=\"0\"");
        String machine =
                Files.writeString(folder.resolve("machine.xml"), unknown).toString();
        Result refused = CommandLines.run("conf", "yarn", "--topology", machine);
        assertThat(refused.exitCode()).isEqualTo(2);
        assertThat(refused.err()).contains("the memory of this host is not known: give the heap of all JVMs by --heap");
        assertThat(properties(CommandLines.run("conf", "yarn", "--heap", "64g", "--topology", machine)
                        .out()))
                .containsEntry("mapreduce.map.java.opts", "-Xmx2048m");
    }

    private static void requireUsage(String words, String... options) {
        List<String> command = new ArrayList<>(List.of("conf", "yarn", "--topology", TWO_PACKAGES));
        command.addAll(List.of(options));
        Result result = CommandLines.run(command.toArray(new String[0]));
        assertThat(result.exitCode()).as(result.err()).isEqualTo(2);
        assertThat(result.err()).contains(words);
    }

    private static long number(Map<String, String> properties, String name) {
        return Long.parseLong(properties.get(name));
    }

    /** What a parser of XML reads, as Hadoop does. */
    static Map<String, String> properties(String text) throws Exception {
        Document document = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new InputSource(new StringReader("<configuration>" + text + "</configuration>")));
        NodeList found = document.getElementsByTagName("property");
        Map<String, String> properties = new LinkedHashMap<>();
        for (int i = 0; i < found.getLength(); i++) {
            Element property = (Element) found.item(i);
            properties.put(
                    property.getElementsByTagName("name").item(0).getTextContent(),
                    property.getElementsByTagName("value").item(0).getTextContent());
        }
        return properties;
    }
}
