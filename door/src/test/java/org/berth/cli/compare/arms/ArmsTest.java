package org.berth.cli.compare.arms;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class ArmsTest {
    @Test
    void theFirstOfEachKindRunsAndTheOthersNameIt() {
        Arms<String> arms = Arms.distinctBy(String::length, List.of("one", "two", "three", "six", "eight", "ten"));

        assertThat(arms.distinct()).containsExactly("one", "three");
        assertThat(arms.twins())
                .containsExactly(
                        new Arms.Twin<>("two", "one"),
                        new Arms.Twin<>("six", "one"),
                        new Arms.Twin<>("eight", "three"),
                        new Arms.Twin<>("ten", "one"));
    }

    @Test
    void withoutArmsThereIsNothing() {
        assertThat(Arms.distinctBy(String::length, List.<String>of()).distinct())
                .isEmpty();
    }
}
