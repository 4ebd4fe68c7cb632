package org.berth.transport.internal.ucx;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Numbers of links, against a map of the JDK. */
final class NumberedTest {
    @Test
    void eachNumberNamesItsLinkAndNoOther() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        Numbered<String> numbered = new Numbered<>();
        Map<Long, String> expected = new HashMap<>();
        List<Long> ever = new ArrayList<>();
        for (int i = 0; i < 2_000; i++) {
            if (expected.isEmpty() || random.nextInt(5) < 3) {
                long number = numbered.add("link " + i);
                assertThat(expected).as("seed " + seed).doesNotContainKey(number);
                expected.put(number, "link " + i);
                ever.add(number);
            } else {
                long number = ever.get(random.nextInt(ever.size()));
                numbered.remove(number);
                expected.remove(number);
            }
        }
        assertThat(ever)
                .as("seed " + seed)
                .allSatisfy(number -> assertThat(numbered.find(number)).isEqualTo(expected.get(number)));
        List<String> all = new ArrayList<>();
        numbered.forEach(all::add);
        assertThat(all).as("seed " + seed).containsExactlyInAnyOrderElementsOf(expected.values());
        assertThat(numbered.find(-1)).isNull();
        assertThat(numbered.find(Integer.MAX_VALUE)).isNull();
    }
}
