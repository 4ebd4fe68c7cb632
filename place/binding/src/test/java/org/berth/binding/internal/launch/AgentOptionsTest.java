package org.berth.binding.internal.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.berth.binding.JavaProcess;
import org.berth.binding.LocalMachine;
import org.berth.binding.internal.NativeBridge;
import org.berth.binding.internal.library.NativeLibrary;
import org.berth.oracle.ExecutableFolder;
import org.berth.placement.AffinityLevel;
import org.berth.placement.MemoryMode;
import org.berth.placement.PlacementRequest;
import org.berth.placement.policy.PlacementPolicies;
import org.berth.topology.CpuSet;
import org.berth.topology.NodeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class AgentOptionsTest {
    private static final LocalMachine MACHINE = LocalMachine.open();

    private final int cpu = MACHINE.topology().allowedCpuSet().last();

    @TempDir(factory = ExecutableFolder.class)
    Path folder;

    @Test
    void optionsAreWrittenInTheOrderGiven() {
        assertThat(AgentOptions.none().jvmOption(Path.of("/n/libberth.so"))).isEqualTo("-agentpath:/n/libberth.so");
        assertThat(AgentOptions.ofCpus(CpuSet.of(2, 6))
                        .withMemory(MemoryMode.BIND, NodeSet.of(1))
                        .strict()
                        .jvmOption("./libberth.so"))
                .isEqualTo("-agentpath:./libberth.so=cpus=2,6,nodes=1,memory=bind,strict");
        assertThat(AgentOptions.ofCpus(CpuSet.of(2)).withMemory(MemoryMode.LOCAL, NodeSet.of(1)))
                .hasToString("cpus=2");
        assertThat(AgentOptions.ofCpus(CpuSet.of(2)).withMemory(MemoryMode.LOCAL))
                .hasToString("cpus=2,memory=local");
        AgentOptions threads = AgentOptions.none()
                .withPreset("spark")
                .withGc("slots 0-1")
                .withJit("process")
                .withCoreSlots()
                .withoutSmt();
        DomainRequest domain = DomainRequest.of("core:2")
                .withSelect("exclusive")
                .withLeases("/l")
                .withName("a b");
        assertThat(AgentOptions.ofDomain(domain).and(threads).withoutGuard())
                .hasToString("domain=core:2,select=exclusive,leases=/l,name=a b,preset=spark,gc=slots 0-1,jit=process,"
                        + "level=core,smt=never,guard=off");
        assertThat(AgentOptions.ofPlan(Path.of("/p")).withWorker(3).withRules(Path.of("/r")))
                .isEqualTo(AgentOptions.ofPlan(Path.of("/p")).withWorker(3).withRules(Path.of("/r")))
                .hasToString("plan=/p,worker=3,rules=/r");
    }

    @Test
    void whatTheAgentWouldReadInAnotherWayIsRefused() {
        for (String value : List.of("", "a,b=c", "a,strict", "a,x,verbose", "a\nb", "a,=")) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> AgentOptions.none().withRule(value))
                    .withMessageStartingWith("rule '")
                    .satisfies(e -> assertThat(e.getMessage()).doesNotContain("\n"));
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> DomainRequest.of("numa").withName("a,b=c"))
                .withMessageStartingWith("name 'a,b=c'");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> DomainRequest.of("socket"))
                .withMessage("domain 'socket' is not one of numa, package, l3, core:K (K cores, from 1), cpus:LIST");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> DomainRequest.of("core:0"))
                .withMessageStartingWith("domain 'core:0'");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> DomainRequest.of("numa").withSelect("-1"))
                .withMessageStartingWith("select '-1'");
        assertThatIllegalArgumentException().isThrownBy(() -> AgentOptions.ofCpus(CpuSet.empty()));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> AgentOptions.none().jvmOption(Path.of("/a=b/libberth.so")))
                .withMessageStartingWith("agent library '/a=b/libberth.so'");
    }

    @Test
    void theAgentReadsValuesWithCommasSpacesAndEqualsSigns() throws Exception {
        Path file = folder.resolve("a=b,c d.plan");
        Files.writeString(
                file,
                PlacementPolicies.byLevel()
                        .plan(
                                MACHINE.topology(),
                                PlacementRequest.of(AffinityLevel.PU, 1, 1).withCpus(CpuSet.of(cpu)))
                        .toText());
        AgentOptions options = AgentOptions.ofPlan(file)
                .withWorker(0)
                .withRule("x=y,z* -> cpus " + cpu)
                .withGc("process")
                .withJit("slots 0")
                .withoutGuard()
                .strict();
        assertThat(status(options))
                .contains("cpus " + cpu, "memory local", "rules 3")
                .contains("rule threads=0 missed target=cpus " + cpu + " glob=x=y,z*")
                .anyMatch(line -> line.matches("rule threads=\\d+ \\w+ target=process glob=@gc"))
                .anyMatch(line -> line.matches("rule threads=\\d+ \\w+ target=slots 0-0 glob=@jit"));
    }

    @Test
    void theAgentReadsCpusWithTheirMemory() throws Exception {
        NodeSet nodes = MACHINE.topology().allowedNodeSet();
        assertThat(status(AgentOptions.ofCpus(CpuSet.of(cpu))
                        .withMemory(MemoryMode.BIND, nodes)
                        .strict()))
                .contains("cpus " + cpu, "memory bind", "nodes " + nodes, "rules 0");
    }

    @Test
    void theAgentReadsAPolicyOfTheHeap() throws Exception {
        String node = Integer.toString(MACHINE.topology().allowedNodeSet().first());
        for (String heap : List.of("weighted:3@" + node, "bind@" + node)) {
            assertThat(status(AgentOptions.ofCpus(CpuSet.of(cpu)).withHeap(heap).strict()))
                    .anyMatch(line -> line.matches("heap " + heap.replace(":3", ":1") + " (waits|placed)"));
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> AgentOptions.none().withHeap("weighted:3,x=1"))
                .withMessageStartingWith("heap-memory 'weighted:3,x=1'");
    }

    @Test
    void theAgentReadsADomainWithItsLease() throws Exception {
        Path ledger = Files.createDirectory(folder.resolve("l, m"));
        DomainRequest domain = DomainRequest.of("core:1")
                .withSelect("exclusive")
                .withLeases(ledger.toString())
                .withName("it's \"a\", b");
        List<String> status = status(AgentOptions.ofDomain(domain)
                .withMemory(MemoryMode.LOCAL)
                .withCoreSlots()
                .withoutSmt()
                .withPreset("spark")
                .strict());
        assertThat(status).anyMatch(line -> line.matches("lease core of .* exclusive|lease core.* exclusive"));
        // The process has ended, and its file stays until the next one looks.
        assertThat(LaunchWordsTest.ledger(ledger)).contains("name it's \"a\", b", "exclusive yes");
    }

    @Test
    void theJvmReadsAnyPathInJavaToolOptions() throws Exception {
        for (String name : List.of("plain", "two words", "it's", "a \"b\" c", "\"'\"' x")) {
            Path library = Files.copy(
                    NativeLibrary.file(),
                    Files.createDirectory(folder.resolve(name)).resolve("libberth.so"));
            String option = AgentOptions.ofCpus(CpuSet.of(cpu)).strict().toolOption(library);
            String out = JavaProcess.of(Status.class)
                    .environment("JAVA_TOOL_OPTIONS", "-Dsome=1 " + option + " -Dother=2")
                    .run();
            assertThat(out.lines()).as(name).contains("cpus " + cpu);
        }
    }

    private static List<String> status(AgentOptions options) throws IOException, InterruptedException {
        return JavaProcess.of(Status.class)
                .option(options.jvmOption(NativeLibrary.file()))
                .run()
                .lines()
                .toList();
    }

    /** Prints what the agent of this JVM reports about itself. */
    static final class Status {
        private Status() {}

        public static void main(String[] arguments) {
            NativeLibrary.load();
            byte[] reply = new byte[65536];
            int length = NativeBridge.agentCommand("status", reply);
            System.out.println(new String(reply, 0, length, StandardCharsets.UTF_8));
        }
    }
}
