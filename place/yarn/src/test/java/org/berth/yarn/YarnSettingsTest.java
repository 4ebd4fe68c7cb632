package org.berth.yarn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.berth.binding.internal.launch.HeapPolicy;
import org.berth.placement.MemoryMode;
import org.berth.yarn.YarnSettings.Way;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class YarnSettingsTest {
    private static Configuration with(String key, String value) {
        Configuration configuration = new Configuration(false);
        configuration.set(key, value);
        return configuration;
    }

    @Test
    void theDefaultSettingsAreSafe() {
        assertThat(YarnSettings.of(new Configuration(false)))
                .isEqualTo(new YarnSettings(
                        "auto", MemoryMode.LOCAL, Optional.empty(), false, false, Way.AUTO, "", "", "", 600));
    }

    @Test
    void readsWhatIsSet() {
        Configuration configuration = new Configuration(false);
        configuration.set(YarnSettings.DOMAIN, " core:4 ");
        configuration.set(YarnSettings.MEMORY, "bind");
        configuration.set(YarnSettings.HEAP_MEMORY, "weighted:3,1@0-1");
        configuration.set(YarnSettings.SELECT, "exclusive");
        configuration.set(YarnSettings.STRICT, "true");
        configuration.set(YarnSettings.BIND, "outside");
        configuration.set(YarnSettings.LAUNCHER, "/opt/berth/bin/../bin/berth-exec");
        configuration.set(YarnSettings.LIBRARY, "/opt/berth/lib/libberth.so");
        configuration.set(YarnSettings.LEASES, "/dev/shm/berth-leases");
        configuration.set(YarnSettings.PATIENCE, "30");
        assertThat(YarnSettings.of(configuration))
                .isEqualTo(new YarnSettings(
                        "core:4",
                        MemoryMode.BIND,
                        Optional.of(HeapPolicy.parse("weighted:3,1@0-1")),
                        true,
                        true,
                        Way.OUTSIDE,
                        "/opt/berth/bin/berth-exec",
                        "/opt/berth/lib/libberth.so",
                        "/dev/shm/berth-leases",
                        30));
    }

    @Test
    void namesWhatItDoesNotKnow() {
        Configuration given = with("berth.yarn.domian", "numa");
        given.set(YarnSettings.MEMORY, "bind");
        given.set("berth.hdfs.policy", "node");
        assertThat(YarnSettings.unknown(given))
                .containsExactly("the setting berth.yarn.domian is unknown and has no effect; did you mean"
                        + " berth.yarn.domain?");
    }

    @ParameterizedTest
    @CsvSource({
        "berth.yarn.domain, node, 'numa, package'",
        "berth.yarn.domain, core:0, core:K",
        "berth.yarn.memory, near, 'local, bind, prefer, interleave, weighted, bind-balance, prefer-balance'",
        "berth.yarn.memory, tier:hbm, not known before",
        "berth.yarn.heap-memory, local, 'MODE[:WEIGHTS][@NODES'",
        "berth.yarn.heap-memory, 'weighted:3,1@0', '2 weights for node 0'",
        "berth.yarn.heap-memory, bind@tier:hbm, 'not known before'",
        "berth.yarn.library, lib/libberth.so, an absolute path",
        "berth.yarn.select, 3, 'free, exclusive'",
        "berth.yarn.strict, maybe, 'true, false'",
        "berth.yarn.bind, later, 'auto, birth, outside'",
        "berth.yarn.launcher, bin/berth-exec, an absolute path",
        "berth.yarn.launcher, /opt/my berth/berth-exec, an absolute path",
        "berth.yarn.leases, '/tmp/$(reboot)', an absolute path",
        "berth.yarn.patience-seconds, 10m, seconds from 1 to 99999",
        "berth.yarn.patience-seconds, 0, seconds from 1 to 99999",
    })
    void refusesInOneLineWhatMakesNoSense(String key, String value, String choices) {
        assertThatThrownBy(() -> YarnSettings.of(with(key, value)))
                .isInstanceOf(IllegalArgumentException.class)
                .message()
                .startsWith(key + " is '" + value + "': give ")
                .contains(choices)
                .hasLineCount(1);
    }

    @Test
    void leavesTheArgumentsOfAnEntryPointAlone() {
        String type = "YARN_CONTAINER_RUNTIME_TYPE";
        String override = "YARN_CONTAINER_RUNTIME_DOCKER_RUN_OVERRIDE_DISABLE";
        String service = "YARN_CONTAINER_RUNTIME_DOCKER_SERVICE_MODE";
        assertThat(EntryPoint.isUsed(Map.of())).isFalse();
        assertThat(EntryPoint.isUsed(Map.of(type, "docker"))).isFalse();
        assertThat(EntryPoint.isUsed(Map.of(type, "docker", override, "true"))).isTrue();
        assertThat(EntryPoint.isUsed(Map.of(type, "docker", service, "true"))).isTrue();
        assertThat(EntryPoint.isUsed(Map.of(type, "runc", override, "true"))).isFalse();
        assertThat(EntryPoint.isUsed(Map.of(override, "true"))).isTrue();
    }
}
