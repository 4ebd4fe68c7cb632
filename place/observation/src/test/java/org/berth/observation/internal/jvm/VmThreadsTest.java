package org.berth.observation.internal.jvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.berth.observation.ChildProgram;
import org.berth.oracle.Child;
import org.berth.oracle.ChildJvm;
import org.berth.oracle.ProcStatus;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The threads of a JVM with a collector that a JVM without one, by Epsilon, does not have. */
@Timeout(120)
class VmThreadsTest {
    private static Set<String> withoutCollector = Set.of();

    @BeforeAll
    static void look() {
        withoutCollector = threads("-XX:+UnlockExperimentalVMOptions", "-XX:+UseEpsilonGC");
    }

    @ParameterizedTest
    @ValueSource(strings = {"Parallel", "G1", "Shenandoah", "Z"})
    void threadsThatACollectorAddsAreItsOwn(String collector) {
        String option = "-XX:+Use" + collector + "GC";
        assumeThat(Child.run(ChildJvm.JAVA.toString(), option, "-version").exitCode())
                .as("this JDK has " + collector)
                .isZero();
        Set<String> added = threads(option);
        added.removeAll(withoutCollector);
        assertThat(added).isNotEmpty().allMatch(VmThreads::isCollector);
    }

    @Test
    void allThatAJvmWithoutACollectorHasIsTheVmThread() {
        assertThat(withoutCollector.stream().filter(VmThreads::isCollector)).containsExactly("VM Thread");
    }

    /**
     * A heap that may shrink: with a fixed size, collectors have no thread that returns memory. Epsilon warns of such a
     * heap on standard output. */
    private static Set<String> threads(String... options) {
        try (Child jvm = ChildJvm.of(ChildProgram.class, "sleep")
                .with("-Xms16m", "-Xmx64m", "-Xlog:disable")
                .with(options)
                .start()) {
            jvm.readLine(); // it is ready
            return ProcStatus.threads(jvm.pid()).stream()
                    .map(ProcStatus::name)
                    .collect(Collectors.toCollection(TreeSet::new));
        }
    }
}
