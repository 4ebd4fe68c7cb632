package org.berth.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.berth.oracle.KernelList;
import org.berth.oracle.Machine;
import org.berth.oracle.ProcStatus;
import org.berth.oracle.Tool;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Threads take slots by their complete names when they start, and release them when they end. */
@Timeout(120)
class AgentThreadRuleTest {
    /** More than the 15 characters that the kernel keeps of a name. */
    private static final String NAME = "Executor task launch worker-";

    static List<Jdk> jdks() {
        return Jdk.all();
    }

    private final List<String> cpus;
    private final String all;

    AgentThreadRuleTest() {
        List<Integer> two = Machine.cpus().stream().limit(2).toList();
        cpus = two.stream().map(String::valueOf).toList();
        all = KernelList.of(two);
    }

    private String plan() {
        return Plans.of(cpus, "rule role=task glob=" + NAME + "?\n");
    }

    private JvmCommand command(Jdk jdk, Path directory) throws IOException {
        Path file = directory.resolve("plan");
        Files.writeString(file, plan());
        return JvmCommand.of(jdk).with("-Xcheck:jni").withAgent("plan=" + file + ",worker=0,strict");
    }

    private static List<String> lines(String answer) {
        return List.of(answer.split("\\|", -1));
    }

    private static String mask(Jvm jvm, int tid) throws IOException {
        return ProcStatus.of(jvm.pid(), tid).cpus();
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void matchingThreadsTakeTheLeastUsedSlot(Jdk jdk, @TempDir Path directory) throws Exception {
        try (Jvm jvm = command(jdk, directory).start()) {
            jvm.ready();
            for (int i = 0; i < 4; i++) {
                String expected = cpus.get(i % cpus.size());
                assertThat(mask(jvm, jvm.startThread(NAME + i))).isEqualTo(expected);
            }
            String last = cpus.get(cpus.size() - 1);
            jvm.ask("end " + NAME + (cpus.size() - 1));
            assertThat(mask(jvm, jvm.startThread(NAME + "x"))).isEqualTo(last);
            assertThat(mask(jvm, jvm.startThread(NAME + "10"))).isEqualTo(all);
            assertThat(jvm.errorText()).isEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void aThreadStartedFromASlotIsNotSqueezedIntoIt(Jdk jdk, @TempDir Path directory) throws Exception {
        Path file = directory.resolve("plan");
        Files.writeString(file, Plans.of(cpus, "rule role=task glob=creator\n"));
        try (Jvm jvm = JvmCommand.of(jdk).withAgent("plan=" + file + ",strict").start()) {
            jvm.ready();
            int helper = Integer.parseInt(jvm.ask("child creator helper"));
            assertThat(mask(jvm, helper)).isEqualTo(all);
        }
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void rulesOfOptionsHandOutSingleCpus(Jdk jdk) throws Exception {
        try (Jvm jvm = JvmCommand.of(jdk)
                .withAgent("cpus=" + String.join(",", cpus) + ",rule=a*,rule=b*,strict")
                .start()) {
            jvm.ready();
            assertThat(mask(jvm, jvm.startThread("b1"))).isEqualTo(cpus.get(0));
            assertThat(mask(jvm, jvm.startThread("a1"))).isEqualTo(cpus.get(1 % cpus.size()));
            assertThat(mask(jvm, jvm.startThread("c1"))).isEqualTo(all);
        }
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void theStatusNamesEveryBoundThread(Jdk jdk, @TempDir Path directory) throws Exception {
        try (Jvm jvm = command(jdk, directory).start()) {
            jvm.ready();
            int tid = jvm.startThread(NAME + "7");
            assertThat(jvm.ask("load " + Built.library())).isEqualTo("loaded 10");
            assertThat(lines(jvm.ask("agent status")))
                    .contains("version 10", "pid " + jvm.pid(), "cpus " + all, "rules 1", "matched 1", "failed 0")
                    .contains("rule threads=1 matched target=slot glob=" + NAME + "?")
                    .contains("thread tid=" + tid + " slot=0 name=" + NAME + "7");
            jvm.ask("end " + NAME + "7");
            assertThat(lines(jvm.ask("agent status"))).noneMatch(line -> line.startsWith("thread "));
        }
    }

    /** Renames threads as pools do that serve several stages (Cassandra), or name the task (Spark, Hadoop). */
    @ParameterizedTest
    @MethodSource("jdks")
    void aThreadThatTakesAnotherNameTakesThatNamesPlace(Jdk jdk) throws Exception {
        String last = cpus.get(cpus.size() - 1);
        try (Jvm jvm = JvmCommand.of(jdk)
                .with("-Xcheck:jni")
                .withAgent("cpus=" + String.join(",", cpus) + ",rule=ReadStage-*->slots 0 exclusive,rule=other*->cpus "
                        + last + ",strict")
                .start()) {
            jvm.ready();
            jvm.ask("load " + Built.library());
            int tid = jvm.startThread("SharedPool-Worker-1");
            assertThat(mask(jvm, tid)).isEqualTo(all);
            assertThat(jvm.ask("rename SharedPool-Worker-1 > ReadStage-1")).isEqualTo("renamed");
            assertThat(mask(jvm, tid)).isEqualTo(cpus.get(0));
            jvm.ask("rename SharedPool-Worker-1 > ReadStage-2");
            assertThat(mask(jvm, tid)).isEqualTo(cpus.get(0));
            assertThat(lines(jvm.ask("agent status")))
                    .contains("renames followed", "thread tid=" + tid + " slot=0 name=ReadStage-2");
            jvm.ask("rename SharedPool-Worker-1 > other name that is longer than what the kernel keeps");
            assertThat(mask(jvm, tid)).isEqualTo(last);
            jvm.ask("rename SharedPool-Worker-1 > SharedPool-Worker-1");
            assertThat(mask(jvm, tid)).isEqualTo(all);
            // Its exclusive slot is free for another thread.
            assertThat(mask(jvm, jvm.startThread("ReadStage-9"))).isEqualTo(cpus.get(0));
            assertThat(jvm.errorText()).isEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void rulesCanComeLate(Jdk jdk) throws Exception {
        try (Jvm jvm = JvmCommand.of(jdk).with("-Xcheck:jni").start()) {
            jvm.ready();
            jvm.ask("load " + Built.library());
            assertThat(lines(jvm.ask("agent status"))).contains("bound no", "rules 0");
            assertThat(jvm.ask("agent nonsense")).startsWith("-22 the agent knows");
            assertThat(jvm.ask("agent rules berth-plan 7")).startsWith("-22 line 1: plan version '7'");
            assertThat(jvm.ask("agent rules " + plan().replace('\n', '|'))).isEqualTo("ok");
            assertThat(mask(jvm, jvm.startThread(NAME + "1"))).isEqualTo(cpus.get(0));
            String other = Plans.of(List.of(cpus.get(cpus.size() - 1)), "rule role=task glob=new*\n");
            assertThat(jvm.ask("agent rules " + other.replace('\n', '|'))).isEqualTo("ok");
            assertThat(mask(jvm, jvm.startThread("new thread"))).isEqualTo(cpus.get(cpus.size() - 1));
            assertThat(lines(jvm.ask("agent status"))).contains("renames not followed");
            assertThat(jvm.errorText()).isEmpty();
        }
    }

    /** Refuses calls as Docker's default filter does. */
    @ParameterizedTest
    @MethodSource("jdks")
    void rulesThatComeLateBindCpusWhereMemoryIsRefused(Jdk jdk) throws Exception {
        Tool.requireSuccess("strace", "-o", "/dev/null", "true");
        String refused = "get_mempolicy,set_mempolicy";
        String bind = plan().replace("memory local", "memory bind")
                .replace("nodes=", "nodes=" + Machine.requireMemoryNodes().get(0));
        try (Jvm jvm = JvmCommand.of(jdk)
                .under("strace", "-D", "-f", "-o", "/dev/null", "-e", "inject=" + refused + ":error=EPERM")
                .start()) {
            jvm.ready();
            jvm.ask("load " + Built.library());
            assertThat(jvm.ask("agent rules " + bind.replace('\n', '|'))).isEqualTo("ok");
            assertThat(mask(jvm, jvm.startThread(NAME + "1"))).isEqualTo(cpus.get(0));
            assertThat(jvm.messages())
                    .singleElement()
                    .asString()
                    .endsWith("Operation not permitted; thread rules bind CPUs only");
        }
    }

    /** It runs on a carrier; binding there would bind everything else that the carrier runs. */
    @ParameterizedTest
    @MethodSource("jdks")
    void aVirtualThreadIsNotBound(Jdk jdk) throws Exception {
        try (Jvm jvm = JvmCommand.of(jdk)
                .withAgent("cpus=" + String.join(",", cpus) + ",rule=virtual-*,strict")
                .start()) {
            jvm.ready();
            jvm.ask("load " + Built.library());
            String mask = jvm.ask("virtual virtual-1");
            assumeFalse(mask.startsWith("java.lang.NoSuchMethodException"), "no virtual threads before 21");
            assertThat(mask).isEqualTo(all);
            assertThat(lines(jvm.ask("agent status"))).contains("rules 1", "matched 0");
        }
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void attachingBindsEveryThreadOfARunningJvm(Jdk jdk) throws Exception {
        try (Jvm jvm = JvmCommand.of(jdk).start()) {
            jvm.ready();
            String answer = Tool.output(
                    jdk.tool("jcmd"),
                    String.valueOf(jvm.pid()),
                    "JVMTI.agent_load",
                    Built.library(),
                    // jcmd takes what stands before a '=' for an option of its own.
                    "\"cpus=" + cpus.get(0) + "\"");
            assertThat(answer).contains("return code: 0");
            assertThat(ProcStatus.masks(jvm.pid()).values()).containsOnly(cpus.get(0));
            assertThat(jvm.messages()).isEmpty();
        }
    }
}
