package org.berth.cli.status;

import static org.assertj.core.api.Assertions.assertThat;

import org.berth.observation.Reading;
import org.berth.observation.Refusal;
import org.berth.topology.CpuSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class BoundByTest {
    private static final Refusal CLOSED = new Refusal("may not be read", "");

    /** CPUs 0-3 are online; "?" stands for what may not be read. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            yes | yes | yes | 0   | 1 | 0-3 | bind:0  | berth bind
            no  | yes | yes | 0   | 1 | 0-3 | bind:0  | agent
            no  | no  | yes | 0   | 1 | 0-3 | default | lease
            no  | no  | no  | 0-3 | 1 | 0-3 | default | nothing
            no  | ?   | no  | 0-3 | 1 | 0-3 | ?       | nothing
            no  | no  | no  | 0-1 | 1 | 0-1 | local   | cpuset
            no  | no  | no  | 0-1 | 3 | 0-1 | default | thread masks
            no  | no  | no  | 0-1 | 1 | 0-3 | default | inherited mask
            no  | no  | no  | 0-1 | 2 | 0-3 | bind:0  | inherited mask
            no  | no  | no  | 0   | 1 | 0-1 | default | inherited mask
            no  | no  | no  | 0-3 | 1 | 0-3 | bind:0  | inherited policy
            no  | ?   | no  | 0-1 | 1 | 0-3 | ?       | -
            no  | no  | no  | 0-1 | 1 | ?   | default | -
            """)
    void namesWhatLeftATrace(
            String recorded,
            String agent,
            String leased,
            String cpus,
            int masks,
            String group,
            String policy,
            String word) {
        BoundBy.Traces traces = new BoundBy.Traces(
                recorded.equals("yes"),
                agent.equals("?") ? Reading.refused(CLOSED) : Reading.of(agent.equals("yes")),
                leased.equals("yes"),
                CpuSet.parseList(cpus),
                masks,
                group.equals("?") ? Reading.refused(CLOSED) : Reading.of(CpuSet.parseList(group)),
                CpuSet.parseList("0-3"),
                policy.equals("?") ? Reading.refused(CLOSED) : Reading.of(policy));
        assertThat(BoundBy.of(traces).word()).isEqualTo(word);
    }
}
