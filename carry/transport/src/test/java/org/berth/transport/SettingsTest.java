package org.berth.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.berth.placement.DevicePolicy;
import org.berth.transport.host.HostFacts;
import org.berth.transport.settings.Parameter;
import org.berth.transport.settings.TransportSettings;
import org.berth.transport.settings.Tuning;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Parameters: options win over the environment, which wins over the table by architecture. */
final class SettingsTest {
    private static final HostFacts SERVER = new HostFacts("amd64", 64, HostFacts.DeviceKind.RDMA);

    private static String value(
            Parameter parameter, HostFacts host, Map<String, String> options, Map<String, String> env) {
        return Tuning.resolve(host, options::get, env).stream()
                .filter(one -> one.parameter() == parameter)
                .map(one -> one.value() + " from " + one.origin())
                .findFirst()
                .orElseThrow();
    }

    @Test
    void anOptionWinsOverTheEnvironmentAndThatOverTheTable() {
        Map<String, String> env = Map.of("BERTH_TRANSPORT_WAIT", "event");
        assertThat(value(Parameter.WAIT, SERVER, Map.of("wait", "spin"), env)).isEqualTo("spin from option");
        assertThat(value(Parameter.WAIT, SERVER, Map.of(), env)).isEqualTo("event from BERTH_TRANSPORT_WAIT");
        assertThat(value(Parameter.WAIT, SERVER, Map.of(), Map.of())).startsWith("hybrid from enough CPUs");
    }

    @ParameterizedTest
    @CsvSource({
        "amd64, 64, RDMA, PROVIDERS, 'ucx,local,tcp'",
        "amd64, 64, ETHERNET, PROVIDERS, 'local,tcp'",
        "amd64, 2, ETHERNET, WAIT, event",
        "amd64, 2, ETHERNET, THREADS, 1",
        "aarch64, 128, RDMA, THREADS, 4",
        "aarch64, 128, RDMA, CHUNK, 1m",
        "ppc64le, 160, RDMA, CHUNK, 4m",
        "amd64, 64, SOFT_RDMA, UCX_WAIT_LIMIT, 2ms",
        "amd64, 64, RDMA, UCX_WAIT_LIMIT, 1s",
        "amd64, 64, RDMA, UCX, 'TLS=^tcp,cma'",
        "amd64, 64, ETHERNET, UCX, 'TLS=^tcp,cma RNDV_THRESH=256k'",
    })
    void theTableKnowsArchitectureCpusAndAdapter(
            String architecture, int cpus, HostFacts.DeviceKind kind, Parameter parameter, String expected) {
        assertThat(value(parameter, new HostFacts(architecture, cpus, kind), Map.of(), Map.of()))
                .startsWith(expected + " from ");
    }

    @Test
    void valuesAreReadWithTheirUnits() {
        TransportSettings settings = Echo.settings(
                "test", Map.of("max-message", "16m", "stall-timeout", "2m", "policy", "o2ocs", "chunk", "64m"));
        assertThat(settings.largestMessageBytes()).isEqualTo(16 << 20);
        assertThat(settings.chunkBytes()).as("no larger than a message").isEqualTo(16 << 20);
        assertThat(settings.time(Parameter.STALL_TIMEOUT)).hasMinutes(2);
        assertThat(settings.policy()).contains(DevicePolicy.O2OCS);
        assertThat(Echo.settings("test", Map.of()).policy()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            providers     | rdma    | providers 'rdma': choose from ucx, local and tcp
            threads       | many    | threads 'many': write a number
            threads       | 0       | threads '0': at least 1 is needed
            policy        | auto    | policy 'auto': unknown device policy 'auto': choose one of o2nts, o2acs, o2ocs, o2ntc, o2occ or none
            max-message   | 1x      | max-message '1x': write a size such as 64k, 16m or 1g
            max-message   | 600m    | max-message '600m': a size between 64 bytes and 512m is possible
            max-message   | 512m    | send-pool '256m': a message of 536870912 bytes (max-message) needs at least 536870912
            max-message   | 256m    | receive-pool '256m': a message of 268435456 bytes (max-message) needs at least 536870912
            """)
    void aWrongValueIsOneLineThatNamesIt(String key, String value, String line) {
        assertThatThrownBy(() -> Echo.settings("test", Map.of(key, value)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(line);
    }

    @Test
    void timesAreOneLineToo() {
        assertThatThrownBy(() ->
                        Echo.settings("test", Map.of("ping-interval", "soon")).time(Parameter.PING_INTERVAL))
                .hasMessage("ping-interval 'soon': write a time such as 500ms, 30s or 2m");
        assertThatThrownBy(() -> Echo.settings("test", Map.of("ucx", "TLS")).ucx())
                .hasMessage("ucx 'TLS': write NAME=VALUE pairs with blanks between them");
    }
}
