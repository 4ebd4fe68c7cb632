package org.berth.cli.split;

import static org.assertj.core.api.Assertions.assertThat;

import org.berth.cli.CommandLines;
import org.berth.oracle.Child;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every mistake is one line and an exit code; plans of other machines. */
@Tag("one-jdk")
class SplitErrorsTest {
    private static final String EPYC = "pack:2 [numa(memory=256GB)] l3:8 core:8 pu:2";

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            split -- true                            | 2 | what does each process get? Give --domain numa, package, l3 or core:K, or --into N
            split --domain numa --into 2 -- true     | 2 | --domain and --into exclude each other
            split --domain die -- true               | 2 | --domain 'die' is not one of numa, package, l3, core:K
            split --domain cpus:0 -- true            | 2 | --domain cpus:0: the parts of a host are numa, package, l3 or core:K; --cpus says
            split --into l2 -- true                  | 2 | --into l2: give a number of parts from 1 to 9999; for parts of the machine write --domain numa
            split --into 0 -- true                   | 2 | --into 0: give a number of parts
            split --into 9999 -- true                | 2 | cannot make 9999 parts of the
            split --into 1 -- echo {x}               | 2 | '{x}': unknown placeholder {x}; there are {i} (index from 0)
            split --into 1 -- echo {                 | 2 | '{': a lone {; write {{ for the character itself
            split --into 1 --heap 0 -- true          | 2 | --heap 0: give the total heap of all processes
            split --into 1 --heap 101% -- true       | 2 | --heap 101%: give the total heap
            split --into 1 --heap 8000t -- true      | 2 | heaps of 7.81 PiB together do not fit into the memory of the 1 part
            split --into 1 --cpus 99999 -- true      | 2 | --cpus 99999: there is no CPU 99999 here
            split --into 1 --memory x -- true        | 2 | --memory: unknown memory mode 'x'
            split --into 1 --memory tier:no-such -- true | 2 | there is no memory tier 'no-such' on this machine: choose from
            split --into 1 --memory bind:9999 -- true | 2 | --memory bind:9999: there is no node 9999 here
            split --into 1 --heap-memory bind@tier:no-such -- true | 2 | --heap-memory bind@tier:no-such: there is no memory tier 'no-such'
            split --into 1 --name a,strict -- true   | 2 | --name 'a,strict' is empty, or holds a control character or a comma
            split --into 1 --only 1 -- true          | 2 | --only 1: give a whole number from 0 to 0
            split --into 1 --only 0 --restart -- true | 2 | --only and --restart exclude each other: --only starts one process
            split --into 1 --restart=x -- true       | 2 | --restart x: choose on-failure or always
            split --into 1 --restart-limit 2 -- true | 2 | --restart-limit needs --restart
            split --into 1 --json -- true            | 2 | --json needs a FILE here
            split --into 1 --topology pack:1 -- true | 2 | --topology needs --dry-run
            split --into 1 --output x -- true        | 2 | --output needs --systemd NAME
            split --into 1 --systemd a/b -- true     | 2 | --systemd a/b: the name of a unit has letters
            split --into 1 --preset kaka -- true     | 2 | --preset kaka: unknown preset; did you mean 'kafka'?
            split --into 1                           | 2 | Missing required parameter
            split --into 1 -- nosuchprogram-berth    | 127 | cannot run 'nosuchprogram-berth': no such command in PATH
            split --into 1 -- /etc/passwd            | 126 | cannot run '/etc/passwd': /etc/passwd is not executable
            """)
    void aMistakeIsOneLine(String words, int exitCode, String message) {
        Child.Result result = CommandLines.run(words.split(" ", -1));
        assertThat(result.err()).startsWith("berth: " + message).hasLineCount(1);
        assertThat(result.out()).isEmpty();
        assertThat(result.exitCode()).isEqualTo(exitCode);
    }

    @Test
    void thePlanOfAnotherMachine() {
        Child.Result plan = CommandLines.run(
                "split",
                "--domain",
                "l3",
                "--heap",
                "96g",
                "--dry-run",
                "--topology",
                EPYC,
                "--",
                "java",
                "-Xmx{heap}",
                "{9092+i}");
        assertThat(plan.exitCode()).isZero();
        assertThat(plan.err()).isEmpty();
        assertThat(plan.out())
                .startsWith("16 processes, memory local.\n\nINDEX  CPUS     NODES")
                .contains("   15  240-255  1      29.8 GiB    6g  8 cores (PUs 240-255) of L3 L#15")
                .contains("\n0: java -Xmx6g 9092\n")
                .endsWith("\n15: java -Xmx6g 9107\n");
        Child.Result json = CommandLines.run(
                "split", "--domain", "package", "--dry-run", "--json", "--topology", EPYC, "--", "java", "-Xmx{heap}");
        assertThat(json.out())
                .contains("\"format\" : \"berth-split\"")
                .contains("\"cpus\" : \"128-255\"")
                .contains("\"-Xmx119g\"");
    }

    @Test
    void coresAreWholePartsToo() {
        Child.Result plan = CommandLines.run(
                "split", "--domain", "core:4", "--dry-run", "--topology", "pack:2 numa:1 core:8 pu:2", "--", "java");
        assertThat(plan.err()).isEmpty();
        assertThat(plan.out()).startsWith("4 processes").contains(" 4 cores (PUs 24-31)");
        Child.Result uneven = CommandLines.run(
                "split", "--domain", "core:3", "--dry-run", "--topology", "pack:2 numa:1 core:8 pu:2", "--", "java");
        assertThat(uneven.err())
                .startsWith("berth: --domain core:3: the 16 cores of this host do not make parts of 3; give --into N")
                .hasLineCount(1);
        assertThat(uneven.exitCode()).isEqualTo(2);
    }
}
