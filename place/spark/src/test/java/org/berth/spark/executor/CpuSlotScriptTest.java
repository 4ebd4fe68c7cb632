package org.berth.spark.executor;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.spark.resource.ResourceInformation;
import org.berth.oracle.Child;
import org.berth.oracle.Machine;
import org.berth.topology.CpuSet;
import org.junit.jupiter.api.Test;

/** The discovery script, read by Spark's own parser, compared with util-linux's nproc and lscpu. */
class CpuSlotScriptTest {
    private static final Path SCRIPT = Path.of("src/main/resources/META-INF/berth/berth-cpuslot.sh");

    @Test
    void addressesAreThePusOfThisProcess() throws Exception {
        ResourceInformation slots = ResourceInformation.parseJson(run(List.of(), "pu"));
        assertThat(slots.name()).isEqualTo("cpuslot");
        assertThat(slots.addresses()).hasSize(Integer.parseInt(run(List.of("nproc"), "pu")));
        assertThat(run(List.of("sh", SCRIPT.toString(), "--count"), "pu"))
                .isEqualTo(Integer.toString(slots.addresses().length));
        assertThat(CpuSlots.of(Map.of("cpuslot", slots))).hasValue(CpuSet.parseList(Machine.cpuList()));
    }

    @Test
    void narrowerMaskGivesFewerAddresses() throws Exception {
        String last = Integer.toString(CpuSet.parseList(Machine.cpuList()).last());
        List<String> command = List.of("taskset", "-c", last, "sh", SCRIPT.toString());
        assertThat(run(command, "pu")).isEqualTo("{\"name\":\"cpuslot\",\"addresses\":[\"" + last + "\"]}");
        assertThat(run(command, "core")).isEqualTo("{\"name\":\"cpuslot\",\"addresses\":[\"" + last + "\"]}");
    }

    @Test
    void coresAreThoseOfLscpu() throws Exception {
        ResourceInformation slots = ResourceInformation.parseJson(run(List.of(), "core"));
        long cores = run(List.of("lscpu", "-p=SOCKET,CORE"), "core")
                .lines()
                .filter(line -> !line.startsWith("#"))
                .distinct()
                .count();
        CpuSet all = CpuSet.empty();
        for (String address : slots.addresses()) {
            assertThat(all.intersects(CpuSet.parseList(address))).isFalse();
            all = all.union(CpuSet.parseList(address));
        }
        assertThat(all).isEqualTo(CpuSet.parseList(Machine.cpuList()));
        assertThat((long) slots.addresses().length)
                .as(Arrays.toString(slots.addresses()))
                .isLessThanOrEqualTo(cores);
    }

    @Test
    void unknownUnitIsOneLine() throws Exception {
        assertThat(start(List.of(), "socket"))
                .isEqualTo(new Child.Result(1, "", "berth-cpuslot.sh: BERTH_CPUSLOT=socket is neither core nor pu\n"));
    }

    private static Child.Result start(List<String> command, String unit) {
        ProcessBuilder builder =
                new ProcessBuilder(command.isEmpty() ? List.of("sh", SCRIPT.toString()) : new ArrayList<>(command));
        builder.environment().put("BERTH_CPUSLOT", unit);
        return Child.run(builder);
    }

    private static String run(List<String> command, String unit) {
        return start(command, unit).output();
    }
}
