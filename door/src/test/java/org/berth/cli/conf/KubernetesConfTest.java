package org.berth.cli.conf;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.berth.cli.CommandLines;
import org.berth.oracle.Child.Result;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

class KubernetesConfTest {
    private static final String TWO_NODES = "pack:2 [numa(memory=64GB)] l3:1 core:8 pu:2";

    private static Map<?, ?> pod(String... options) {
        String[] words = ("conf kubernetes --topology | " + String.join(" ", options)).split(" +");
        words[3] = TWO_NODES;
        Result result = CommandLines.run(words);
        assertThat(result.err()).isEmpty();
        assertThat(result.exitCode()).isZero();
        return new Yaml(new SafeConstructor(new LoaderOptions())).load(result.out());
    }

    private static Object at(Object from, Object... path) {
        Object here = from;
        for (Object step : path) {
            Object next = step instanceof Integer index ? ((List<?>) here).get(index) : ((Map<?, ?>) here).get(step);
            here = Objects.requireNonNull(next, step + " of " + List.of(path));
        }
        return here;
    }

    @Test
    void isAPodThatTheKubeletGivesWholeCpus() {
        Map<?, ?> pod = pod("--heap", "32g", "--image", "example.org/berth:1", "--container", "kafka");
        assertThat(at(pod, "kind")).isEqualTo("Pod");
        Object main = at(pod, "spec", "containers", 0);
        assertThat(at(main, "name")).isEqualTo("kafka");
        assertThat(at(main, "resources", "requests")).isEqualTo(Map.of("cpu", "16", "memory", "20480Mi"));
        assertThat(at(main, "env"))
                .isEqualTo(List.of(
                        Map.of("name", "BERTH_LEASES", "value", "/leases"),
                        Map.of(
                                "name",
                                "JAVA_TOOL_OPTIONS",
                                "value",
                                "-agentpath:/berth/libberth.so=domain=numa -Xmx16384m")));
        Object first = at(pod, "spec", "initContainers", 0);
        assertThat(at(first, "image")).isEqualTo("example.org/berth:1");
        for (Object container : List.of(main, first)) {
            assertThat(at(container, "resources", "limits")).isEqualTo(at(container, "resources", "requests"));
            List<?> mounts = (List<?>) at(container, "volumeMounts");
            assertThat(mounts.stream().map(mount -> at(mount, "name")))
                    .containsExactlyElementsOf(((List<?>) at(pod, "spec", "volumes"))
                            .stream().map(volume -> at(volume, "name")).toList());
        }
    }

    @Test
    void aNumberOfPodsSharesTheCores() {
        Object main = at(pod("--into", "4", "--memory", "bind", "--heap", "16g"), "spec", "containers", 0);
        assertThat(at(main, "resources", "limits", "cpu")).isEqualTo("8");
        assertThat(at(main, "env", 1, "value"))
                .isEqualTo("-agentpath:/berth/libberth.so=domain=core:4,memory=bind -Xmx4096m");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            --container A_b    | --container 'A_b': give small letters
            --image a\"b       | --image 'a\"b': give the name of an image
            --heap 90%         | a pod is a quarter larger than its heap
            --into x           | --into x: give a number of parts
            """)
    void mistakes(String options, String message) {
        String[] words = ("conf kubernetes --topology | " + options).split(" +");
        words[3] = TWO_NODES;
        Result result = CommandLines.run(words);
        assertThat(result.err()).startsWith("berth: " + message).hasLineCount(1);
        assertThat(result.exitCode()).isEqualTo(2);
    }
}
