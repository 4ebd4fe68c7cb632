package org.berth.yarn;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.berth.cluster.YarnCluster;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(170)
@Tag("one-jdk")
@Tag("cluster")
class YarnClusterTest {
    /** The time-out is below the cluster's own patience. */
    @Test
    void tellsAtOnceWhyADaemonDoesNotStart(@TempDir Path folder) {
        Map<String, String> wrong = Map.of("yarn.resourcemanager.scheduler.class", "org.berth.Missing");
        assertThatThrownBy(() -> YarnCluster.start(folder, List.of("-Xmx192m"), wrong, Map.of())
                        .close())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith(
                        "the ResourceManager's addresses did not come: a daemon ended\nresourcemanager:\n")
                .hasMessageContaining("org.berth.Missing");
    }
}
