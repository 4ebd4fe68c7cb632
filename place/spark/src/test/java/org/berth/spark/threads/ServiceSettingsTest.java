package org.berth.spark.threads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.berth.placement.DevicePolicy;
import org.junit.jupiter.api.Test;

class ServiceSettingsTest {
    @Test
    void oneSettingIsForAllRolesAndARoleCanDiffer() {
        ServiceSettings settings = ServiceSettings.of(
                Map.of("spark.berth.threads", "off", "spark.berth.threads.rpc", "cpus:1,3-4", "spark.app.name", "x"));
        assertThat(settings.target(ServiceRole.GC).kind()).isEqualTo(ServiceTarget.Kind.OFF);
        assertThat(settings.target(ServiceRole.RPC).cpus()).hasToString("1,3-4");
        assertThat(settings.python()).isEqualTo(ServiceSettings.Python.TASK);
    }

    @Test
    void policyForAllIsForThoseThatUseTheNetwork() {
        ServiceSettings settings = ServiceSettings.of(Map.of("spark.berth.threads", "o2ocs"));
        assertThat(settings.target(ServiceRole.SHUFFLE_SERVER).policy()).isEqualTo(DevicePolicy.O2OCS);
        assertThat(settings.target(ServiceRole.GC)).isEqualTo(ServiceTarget.AUTO);
        for (DevicePolicy policy : DevicePolicy.values()) {
            assertThat(ServiceTarget.parse("x", policy.word()).policy()).isEqualTo(policy);
        }
    }

    @Test
    void mistakesAreOneLineWithTheChoices() {
        assertThatThrownBy(() -> ServiceSettings.of(Map.of("spark.berth.threads.rpc", "near")))
                .hasMessage("spark.berth.threads.rpc cannot be 'near'; it is auto, domain, slot, off, cpus:LIST, o2nts,"
                        + " o2acs, o2ocs, o2ntc, o2occ");
        assertThatThrownBy(() -> ServiceSettings.of(Map.of("spark.berth.threads.shufle", "off")))
                .hasMessageContaining("spark.berth.threads.shufle names no role; the roles are shuffle-server,");
        assertThatThrownBy(() -> ServiceSettings.of(Map.of("spark.berth.threads", "cpus:a")))
                .hasMessageContaining("'a' is not a list of CPUs");
        assertThatThrownBy(() -> ServiceSettings.of(Map.of("spark.berth.python", "no")))
                .hasMessageContaining("task, domain or off");
    }

    @Test
    void rolesAreToldByTheNamesThatSparkGives() {
        Map<String, ServiceRole> names = Map.of(
                "shuffle-server-5-1", ServiceRole.SHUFFLE_SERVER,
                "shuffle-boss-4-1", ServiceRole.SHUFFLE_SERVER,
                "shuffle-client-6-2", ServiceRole.SHUFFLE_CLIENT,
                "shuffle-block-push-thread-0", ServiceRole.BLOCK_PUSH,
                "netty-rpc-connection-0", ServiceRole.RPC,
                "dispatcher-Executor", ServiceRole.DISPATCHER,
                "block-manager-storage-async-thread-pool-3", ServiceRole.BLOCK_MANAGER,
                "executor-heartbeater", ServiceRole.HEARTBEAT);
        names.forEach((name, role) -> assertThat(ServiceRole.ofJava(name)).contains(role));
        assertThat(ServiceRole.ofJava("G1 of the user")).isEmpty();
        assertThat(ServiceRole.ofJava("main")).isEmpty();
        assertThat(ServiceRole.ofNative("G1 Conc#0")).contains(ServiceRole.GC);
        assertThat(ServiceRole.ofNative("ShenUncommit")).contains(ServiceRole.GC);
        assertThat(ServiceRole.ofNative("C2 CompilerThre")).contains(ServiceRole.JIT);
        assertThat(ServiceRole.ofNative("shuffle-client-")).isEmpty();
    }

    @Test
    void rulesOfTheAgentAreRead() {
        assertThat(AgentRoles.roles(List.of("-Xmx1g", "-agentpath:/x/libberth-1a.so=cpus=0-3,gc=cpus 0")))
                .containsExactly(ServiceRole.GC);
        assertThat(AgentRoles.roles(List.of("-agentpath:/x/libberth.so=domain=numa,preset=spark")))
                .contains(ServiceRole.RPC, ServiceRole.OTHER)
                .doesNotContain(ServiceRole.GC);
        assertThat(AgentRoles.roles(List.of("-agentpath:/x/libother.so=preset=spark", "-agentpath:/x/libberth.so")))
                .isEmpty();
    }
}
