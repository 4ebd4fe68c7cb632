package org.berth.observation.internal.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.file.Path;
import org.berth.observation.ChildProgram;
import org.berth.observation.FakeRoot;
import org.berth.observation.NoSuchProcessException;
import org.berth.observation.Reading;
import org.berth.oracle.Child;
import org.berth.oracle.Machine;
import org.berth.oracle.Tool;
import org.berth.topology.CpuSet;
import org.berth.topology.NodeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class ProcessFactsTest {
    private static final Path ROOT = Path.of("/");

    @Test
    void knowsAJvmAndItsThreads() throws Exception {
        String cpu = Integer.toString(Machine.cpus().get(0));
        try (Child child = ChildProgram.start(cpu, "sleep")) {
            ProcessFacts facts = ProcessFacts.of(child.pid(), ROOT);
            assertThat(facts.javaMachine()).isEqualTo(Reading.of(true));
            assertThat(facts.catchesQuit()).isTrue();
            assertThat(facts.cpus()).hasToString(cpu);
            assertThat(facts.arguments()).endsWith(ChildProgram.class.getName(), "sleep");
            assertThat(facts.names()).containsValue("a sleeper (odd)").hasSameSizeAs(facts.masks());
            facts.innerIds().forEach((tid, inner) -> assertThat(inner).isEqualTo(tid));
            String affinity = Tool.output("taskset", "-ap", Long.toString(child.pid()));
            assertThat(affinity.lines()).hasSameSizeAs(facts.masks().keySet());
        }
    }

    @Test
    void knowsThatAShellIsNone() throws Exception {
        try (Child child = ChildProgram.startBusyShell(Machine.cpus().get(0))) {
            ProcessFacts facts = ProcessFacts.of(child.pid(), ROOT);
            assertThat(facts.javaMachine()).isEqualTo(Reading.of(false));
            assertThat(facts.catchesQuit()).isFalse();
            assertThat(facts.masks()).hasSize(1);
        }
    }

    @Test
    void knowsTheIdsThatAContainerSees() throws Exception {
        Tool.requireSuccess("unshare", "--pid", "--fork", "true");
        Tool.require("pgrep");
        try (Child child =
                Child.start("unshare", "--pid", "--fork", "--kill-child", "sh", "-c", "echo ready; sleep 100; true")) {
            assertThat(child.readLine()).isEqualTo("ready");
            long shell = Long.parseLong(Tool.output("pgrep", "-P", Long.toString(child.pid())));
            assertThat(ProcessFacts.of(shell, ROOT).innerIds()).containsEntry((int) shell, 1);
        }
    }

    @Test
    void readsARecordedProcess(@TempDir Path folder) throws Exception {
        String status = """
                Name:\ta name of more\s
                NSpid:\t4242\t17\t3
                SigCgt:\t0000000000000004
                Seccomp:\t2
                Cpus_allowed_list:\t0-3,8
                Mems_allowed_list:\t0-1
                """;
        new FakeRoot(folder)
                .file("proc/4242/status", status)
                .file("proc/4242/task/4242/status", status)
                .file("proc/4242/stat", "4242 (a ) 1 2) S " + "0 ".repeat(18) + "777 0 0\n")
                .file("proc/4242/cmdline", "/jdk/bin/java\0-jar\0x y.jar\0")
                .file("proc/4242/maps", "7f00-7f01 r-xp 0 00:00 1 /jdk/lib/server/libjvm.so");
        ProcessFacts facts = ProcessFacts.of(4242, folder);
        assertThat(facts.name()).as("cut off at a blank").isEqualTo("a name of more ");
        assertThat(facts.arguments()).startsWith("/jdk/bin/java", "-jar", "x y.jar");
        assertThat(facts.innerIds()).containsEntry(4242, 3);
        assertThat(facts.startTime()).isEqualTo("777");
        assertThat(facts.seccompMode()).isEqualTo(Reading.of(2));
        assertThat(facts.memoryNodes()).isEqualTo(NodeSet.of(0, 1));
        assertThat(facts.cpus()).isEqualTo(CpuSet.parseList("0-3,8"));
        assertThat(facts.catchesQuit()).isTrue();
        assertThat(facts.javaMachine()).isEqualTo(Reading.of(true));
    }

    @Test
    void saysThatThereIsNone() {
        assertThatExceptionOfType(NoSuchProcessException.class)
                .isThrownBy(() -> ProcessFacts.of(Integer.MAX_VALUE, ROOT))
                .withMessageContaining("no process " + Integer.MAX_VALUE);
    }
}
