package org.berth.cli.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.List;
import java.util.Optional;
import org.berth.oracle.Child;
import org.berth.oracle.ReusedPid;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The process that is asked at the end of a watch is the one that was watched. */
@Timeout(60)
class WatchTargetTest {
    @Test
    void anotherProcessWithItsPidIsNotAsked() throws Exception {
        assumeTrue(ReusedPid.isPossible(), "only root may choose the next PID");
        WatchTarget target;
        try (Child first = Child.start("sleep", "600")) {
            target = WatchTarget.of(List.of(Long.toString(first.pid())));
            assertThat(pid(target)).isEqualTo("" + first.pid());
        }
        Optional<Child> next = ReusedPid.start(target.pid(), "sleep", "600");
        assumeTrue(next.isPresent(), "other processes took the PID each time");
        try (Child other = next.get()) {
            assertThat(other.isAlive()).isTrue();
            assertThat(pid(target)).isEqualTo("process " + target.pid() + " has ended");
        }
    }

    /** Or why it is not known. */
    private static String pid(WatchTarget target) {
        return target.facts().fold(facts -> "" + facts.pid(), absent -> absent, String::valueOf);
    }
}
