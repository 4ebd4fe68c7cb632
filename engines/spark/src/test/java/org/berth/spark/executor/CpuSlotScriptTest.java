package org.berth.spark.executor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.spark.resource.ResourceInformation;
import org.berth.spark.ThreadFiles;
import org.berth.topology.CpuSet;
import org.junit.jupiter.api.Test;

/** The discovery script, read by Spark's own parser, beside util-linux' nproc and lscpu. */
class CpuSlotScriptTest {
    private static final Path SCRIPT = Path.of("src/main/resources/berth-cpuslot.sh");

    @Test
    void addressesAreThePusOfThisProcess() throws Exception {
        ResourceInformation slots = ResourceInformation.parseJson(run(List.of(), "pu"));
        assertThat(slots.name()).isEqualTo("cpuslot");
        assertThat(slots.addresses()).hasSize(Integer.parseInt(run(List.of("nproc"), "pu")));
        assertThat(run(List.of("sh", SCRIPT.toString(), "--count"), "pu"))
                .isEqualTo(Integer.toString(slots.addresses().length));
        assertThat(CpuSlots.of(Map.of("cpuslot", slots))).hasValue(CpuSet.parseList(allowed()));
    }

    @Test
    void narrowerMaskGivesFewerAddresses() throws Exception {
        String last = Integer.toString(CpuSet.parseList(allowed()).last());
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
        assertThat(all).isEqualTo(CpuSet.parseList(allowed()));
        assertThat((long) slots.addresses().length)
                .as(Arrays.toString(slots.addresses()))
                .isLessThanOrEqualTo(cores);
    }

    @Test
    void unknownUnitIsOneLine() throws Exception {
        Process process = start(List.of(), "socket");
        assertThat(new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8))
                .isEqualTo("berth-cpuslot.sh: BERTH_CPUSLOT=socket is neither core nor pu\n");
        assertThat(process.waitFor()).isEqualTo(1);
    }

    private static String allowed() throws IOException {
        return ThreadFiles.field(Files.readAllLines(Path.of("/proc/self/status")), "Cpus_allowed_list");
    }

    private static Process start(List<String> command, String unit) throws IOException {
        ProcessBuilder builder =
                new ProcessBuilder(command.isEmpty() ? List.of("sh", SCRIPT.toString()) : new ArrayList<>(command));
        builder.environment().put("BERTH_CPUSLOT", unit);
        return builder.start();
    }

    private static String run(List<String> command, String unit) throws Exception {
        Process process = start(command, unit);
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor())
                .as(new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8))
                .isZero();
        return out.strip();
    }
}
