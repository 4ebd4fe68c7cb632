package org.berth.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.berth.binding.internal.launch.HeapPolicy;
import org.berth.binding.records.BindingRecordText;
import org.berth.observation.internal.jvm.AgentRulesText;
import org.berth.observation.internal.jvm.JavaThread;
import org.berth.observation.internal.jvm.JvmFlags;
import org.berth.observation.internal.threads.ThreadNamePattern;
import org.berth.placement.PlacementException;
import org.berth.text.ForeignText;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a JVM answers to questions, records of Berth's own, control groups and mounts, mutated at random: each
 * parser reads them, or refuses them by the exception that it documents. Without coverage and without a JVM of its own, as the
 * Jazzer of {@link FuzzTest} has.
 *
 * <p>{@code -Dberth.fuzz.seconds=N}, {@code -Dberth.fuzz.seed=N}.
 */
@Tag("one-jdk")
class MutatedTextsTest {
    private static final long SEED = Long.getLong("berth.fuzz.seed", System.nanoTime());
    private static final double SECONDS = seconds();

    private static final String[] PIECES = {
        "0",
        "-1",
        "2147483648",
        "9223372036854775808",
        "99999999999999999999999",
        "0xffffffffffffffffffff",
        "nid=0x",
        "\n",
        "\r",
        "\"",
        "#",
        "=",
        " ",
        ":",
        "*",
        "?",
        "[",
        "(",
        "\\E",
        "\u0000",
        "\u001b[2J",
        "\u202e",
        "\ud800",
        "é"
    };

    private static final Map<String, String> THREADS = Map.of(
            "17", "\"main\" #1 prio=5 os_prio=0 cpu=1.0ms elapsed=1.0s tid=0x00007f nid=0x1f runnable  [0x0]\n",
            "21", "\"main\" #1 [31] prio=5 os_prio=0 cpu=1.0ms elapsed=1.0s tid=0x00007f nid=31 runnable  [0x0]\n",
            "vm", "\"VM Thread\" os_prio=0 cpu=1ms elapsed=1s tid=0x1 nid=0x20 runnable\n");

    /** A second where Jazzer counts its inputs. */
    private static double seconds() {
        double told = Double.parseDouble(System.getProperty("berth.fuzz.seconds", "0"));
        return told > 0 ? told : 1;
    }

    @TempDir
    private Path folder;

    @Test
    void mutatedTextsAreReadOrRefused() throws IOException {
        RecordedMachine machine = RecordedMachine.in(folder);
        Map<String, Consumer<String>> targets = new TreeMap<>(Map.of(
                "threads", MutatedTextsTest::threads,
                "flags", MutatedTextsTest::flags,
                "heap", MutatedTextsTest::heap,
                "glob", MutatedTextsTest::glob,
                "rules", AgentRulesText::parse,
                "bound", BindingRecordText::parse,
                "groups", machine::groups,
                "mounts", machine::mounts,
                "interrupts", machine::interrupts));
        Map<String, List<String>> texts = Map.of(
                "threads", List.of(String.join("", THREADS.values()), "\"a\" b\" prio=1 nid=3 x"),
                "flags", List.of("123:\n-XX:MaxHeapSize=4294967296 -XX:+UseNUMA -XX:-UseG1GC -XX:OnError=\"a b\" \n"),
                "heap", List.of("weighted:3,1@0-1", "bind@0", "interleave", "prefer@0,2"),
                "glob", List.of("Executor task*", "a?b*", "@gc"),
                "rules", List.of(AgentRulesText.SEED),
                "bound", List.of(BindingRecordText.SEED),
                "groups", RecordedMachine.GROUPS,
                "mounts", List.of(RecordedMachine.MOUNTS),
                "interrupts", List.of(RecordedMachine.INTERRUPTS));
        System.out.println("berth.fuzz.seed " + SEED);
        // A parser that reads files takes no more of it than one of a text.
        long share = (long) (SECONDS * TimeUnit.SECONDS.toNanos(1) / targets.size());
        for (Map.Entry<String, Consumer<String>> target : targets.entrySet()) {
            List<String> seeds = Objects.requireNonNull(texts.get(target.getKey()));
            long end = System.nanoTime() + share;
            long number = 0;
            do {
                Random random = new Random(SEED + number);
                String text = mutated(seeds.get(random.nextInt(seeds.size())), random);
                try {
                    target.getValue().accept(text);
                } catch (RuntimeException | AssertionError | StackOverflowError e) {
                    throw new AssertionError(
                            target.getKey() + ", seed " + (SEED + number) + ": " + ForeignText.clean(text), e);
                }
                number++;
            } while (System.nanoTime() < end);
            System.out.println(number + " texts for " + target.getKey());
        }
    }

    private static String mutated(String text, Random random) {
        StringBuilder changed = new StringBuilder(text);
        for (int changes = random.nextInt(6); changes > 0; changes--) {
            int at = random.nextInt(changed.length() + 1);
            int rest = changed.length() - at;
            String piece = PIECES[random.nextInt(PIECES.length)];
            switch (random.nextInt(6)) {
                case 0 -> changed.insert(at, piece);
                case 1 -> changed.insert(at, (char) random.nextInt(0x10000));
                case 2 -> changed.delete(at, at + random.nextInt(Math.min(rest, 30) + 1));
                case 3 -> changed.setLength(at);
                case 4 ->
                    changed.insert(
                            at,
                            changed.substring(at, at + random.nextInt(Math.min(rest, 40) + 1))
                                    .repeat(random.nextInt(8) == 0 ? 300 : 1));
                default -> {
                    int digits = at;
                    while (digits < changed.length() && Character.isDigit(changed.charAt(digits))) {
                        digits++;
                    }
                    changed.replace(at, digits, piece);
                }
            }
        }
        return changed.toString();
    }

    private static void threads(String text) {
        for (JavaThread thread : JavaThread.parse(text)) {
            assertThat(thread.innerTid()).isNotNegative();
        }
    }

    private static void flags(String text) {
        assertThat(JvmFlags.ofVmFlags(text).number("MaxHeapSize").orElse(0)).isNotNegative();
    }

    private static void heap(String text) {
        try {
            HeapPolicy.parse(text);
        } catch (PlacementException | IllegalArgumentException refused) {
            Messages.requireOneLine(refused);
        }
    }

    private static void glob(String text) {
        List<String> names = new ArrayList<>(List.of("Executor task launch worker-1", "", "\ud800a", text));
        for (String name : names) {
            ThreadNamePattern.of(text).mayMatch(name);
        }
    }
}
