package org.berth.cli.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.berth.binding.internal.launch.AgentOptions;
import org.berth.placement.AffinityLevel;
import org.berth.placement.MemoryMode;
import org.berth.placement.PlacementPlan;
import org.berth.placement.Slot;
import org.berth.placement.ThreadRule;
import org.berth.topology.CpuSet;
import org.berth.topology.NodeSet;
import org.junit.jupiter.api.Test;

final class LaunchTest {
    private static final LaunchPlanner PLANNER = new LaunchPlanner(
            () -> Path.of("/n/libberth.so"), () -> Path.of("/n/berth-exec"), "", false, AgentOptions.none());
    private static final CpuSet ALL = CpuSet.range(0, 7);
    private static final Path PLAN = Path.of("/tmp/p/plan");

    private static PlacementPlan plan(AffinityLevel level, MemoryMode memory, String cpus, ThreadRule... rules) {
        Slot slot = Slot.of(0, CpuSet.parseList(cpus))
                .withMemoryNodes(NodeSet.of(1))
                .withReason("core L#2");
        return PlacementPlan.of(level, memory, ALL, List.of(slot)).withRules(List.of(rules));
    }

    private static Launch launch(PlacementPlan plan, boolean java, String... command) {
        return PLANNER.launch(plan, PLANNER.meansFor(plan, ALL, java), List.of(command), () -> PLAN);
    }

    @Test
    void aJvmGetsTheAgentWithoutAnyFile() {
        Launch launch = launch(plan(AffinityLevel.CORE, MemoryMode.BIND, "2,6"), true, "java", "-jar", "a b.jar");

        assertThat(launch.toShellLine())
                .isEqualTo("/n/berth-exec --agent yes --"
                        + " java -agentpath:/n/libberth.so=cpus=2,6,nodes=1,memory=bind,strict -jar 'a b.jar'");
        assertThat(launch.rest()).containsExactly("-jar", "a b.jar");
    }

    @Test
    void theKernelsOwnMemoryPolicyNeedsNoNodes() {
        assertThat(launch(plan(AffinityLevel.PU, MemoryMode.LOCAL, "2"), true, "java")
                        .front())
                .endsWith("--", "java", "-agentpath:/n/libberth.so=cpus=2,strict");
    }

    @Test
    void rulesReachTheAgentInAPlanFile() {
        PlacementPlan plan = plan(AffinityLevel.CORE, MemoryMode.LOCAL, "2", new ThreadRule("task*", "task"));

        assertThat(launch(plan, true, "java").front())
                .endsWith("java", "-agentpath:/n/libberth.so=plan=/tmp/p/plan,worker=0,strict");
    }

    @Test
    void anotherProgramIsStartedByTheHelper() {
        Launch launch = launch(plan(AffinityLevel.CORE, MemoryMode.INTERLEAVE, "2"), false, "sh", "-c", "exit 3");

        assertThat(launch.toShellLine())
                .isEqualTo("/n/berth-exec --cpus 2 --nodes 1 --memory interleave -- sh -c 'exit 3'");
        assertThat(launch.environment()).isEmpty();
    }

    @Test
    void rulesReachTheJvmsThatAnotherProgramStarts() {
        PlacementPlan plan = plan(AffinityLevel.CORE, MemoryMode.LOCAL, "2", new ThreadRule("task*", "task"));
        LaunchPlanner planner = new LaunchPlanner(
                () -> Path.of("/my native/libberth.so"),
                () -> Path.of("/n/berth-exec"),
                "-Xmx1g",
                false,
                AgentOptions.none());

        Launch launch = planner.launch(plan, LaunchPlanner.Means.EXEC, List.of("sh"), () -> PLAN);

        assertThat(launch.environment())
                .isEqualTo(Map.of(
                        "JAVA_TOOL_OPTIONS", "-Xmx1g \"-agentpath:/my native/libberth.so=plan=/tmp/p/plan,worker=0\""));
    }

    @Test
    void levelNoneOverAllAllowedCpusLeavesTheCommandAlone() {
        PlacementPlan plan = plan(AffinityLevel.NONE, MemoryMode.LOCAL, "0-7");

        assertThat(launch(plan, true, "java", "-version").toShellLine()).isEqualTo("java -version");
        assertThat(PLANNER.meansFor(plan(AffinityLevel.NONE, MemoryMode.LOCAL, "0-3"), ALL, true))
                .isEqualTo(LaunchPlanner.Means.AGENT);
        assertThat(PLANNER.meansFor(plan(AffinityLevel.NONE, MemoryMode.BIND, "0-7"), ALL, false))
                .isEqualTo(LaunchPlanner.Means.EXEC);
    }

    @Test
    void theHandOverIsSettingsThenWordsAllEndedByNul() {
        Launch launch = new Launch(Map.of("B", "2", "A", "1 = one"), List.of("x", ""), List.of("line\nbreak"));

        assertThat(new String(launch.toBytes(), StandardCharsets.UTF_8))
                .isEqualTo("env\0A=1 = one\0env\0B=2\0exec\0x\0\0line\nbreak\0");
    }

    @Test
    void aLaunchOfNothingIsRefused() {
        assertThatThrownBy(() -> new Launch(Map.of(), List.of(), List.of()))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void lettersThatTheLocaleLostAreTakenFromTheCommandLine() {
        byte[] commandLine =
                bytes(bytes("java\0Main\0run\0--\0echo\0"), new byte[] {(byte) 0xFF, 'a', 0}, bytes("plain\0"));

        assertThat(RawArguments.bytesOf(List.of("echo", "\uFFFDa", "plain"), commandLine))
                .isEqualTo(bytes(bytes("echo\0"), new byte[] {(byte) 0xFF, 'a', 0}, bytes("plain\0")));
    }

    @Test
    void wordsThatAreNotOnTheCommandLineAreEncoded() {
        assertThat(RawArguments.bytesOf(List.of("é"), bytes("java\0other\0"))).isEqualTo(bytes("é\0"));
        assertThat(RawArguments.bytesOf(List.of("a", "b", "c"), bytes("c\0"))).isEqualTo(bytes("a\0b\0c\0"));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] bytes(byte[]... parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }
}
