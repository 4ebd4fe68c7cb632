package org.berth.spark.executor;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.berth.topology.CpuSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PlanFileTest {
    @TempDir
    private Path folder;

    @Test
    void whatCannotBeReadIsNamedWithTheReason() {
        Path none = folder.resolve("none");
        assertThatThrownBy(() -> PlanFile.open(none.toString(), CpuSet.of(0)))
                .hasMessage("cannot read the plan " + none + ": there is no such file; correct spark.berth.plan");
        assertThatThrownBy(() -> PlanFile.open(folder.toString(), CpuSet.of(0)))
                .hasMessage("cannot read the plan " + folder + ": it is a directory; correct spark.berth.plan");
    }
}
