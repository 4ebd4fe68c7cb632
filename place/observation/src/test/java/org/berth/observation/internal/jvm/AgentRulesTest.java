package org.berth.observation.internal.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.berth.observation.Reading;
import org.berth.observation.internal.jvm.AgentRules.Rule;
import org.junit.jupiter.api.Test;

/** What the agent writes about its rules. With a real agent: AgentRulesReportTest of place/native, DoctorEndToEndTest. */
class AgentRulesTest {
    private static final String TEXT = """
            berth-rules 1
            renames followed
            waiting no
            rule threads=4 matched target=slots 0-3 exclusive glob=a target=x glob=*
            rule threads=0 missed target=cpus 1 glob=ReadStage-*
            rule threads=0 unmatched target=slot glob=@carriers
            something newer
            end
            """;

    @Test
    void rulesAndTheirThreads() {
        AgentRules read = AgentRules.parse(TEXT).orElseThrow();
        assertThat(read.renamesFollowed()).isTrue();
        assertThat(read.waiting()).isFalse();
        assertThat(read.rules())
                .containsExactly(
                        new Rule("a target=x glob=*", "slots 0-3 exclusive", 4, true, false),
                        new Rule("ReadStage-*", "cpus 1", 0, false, true),
                        new Rule("@carriers", "slot", 0, false, false));
    }

    @Test
    void aTextThatIsCutIsNone() {
        for (int length = 0; length < TEXT.length() - 1; length++) {
            assertThat(AgentRules.parse(TEXT.substring(0, length))).isEmpty();
        }
        assertThat(AgentRules.parse(TEXT.replace("berth-rules 1", "berth-rules 2")))
                .isEmpty();
    }

    @Test
    void whatAnotherProcessWritesDoesNotReachTheTerminal() {
        String hostile = "berth-rules 1\nrule threads=1 matched target=slot glob=\u001b[2J\u009b\nend\n";
        assertThat(AgentRules.parse(hostile).orElseThrow().rules())
                .extracting(Rule::glob)
                .containsExactly("?[2J?");
        assertThat(AgentRules.parse(hostile.replace("threads=1 ", "threads=99999999999 "))
                        .orElseThrow()
                        .rules())
                .isEmpty();
    }

    @Test
    void aProcessWithoutAgentHasNone() {
        assertThat(AgentRules.of(ProcessHandle.current().pid(), Path.of("/"))).isInstanceOf(Reading.Absent.class);
    }
}
