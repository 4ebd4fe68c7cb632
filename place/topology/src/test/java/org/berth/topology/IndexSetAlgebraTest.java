package org.berth.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.BitSet;
import java.util.NoSuchElementException;
import java.util.PrimitiveIterator;
import java.util.Random;
import java.util.stream.IntStream;
import org.berth.machines.RandomSeed;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Every operation against java.util.BitSet, on random sets of which a third are infinite. */
@Tag("one-jdk")
class IndexSetAlgebraTest {
    /** Pairs of sets; each is good for eleven results, so more than a million of these. */
    private static final int CASES = 20_000;
    /** Beyond the largest index that the random sets tell apart, every index behaves like this one. */
    private static final int HORIZON = 300;

    /** The oracle: members below the horizon, and whether all from the horizon on are members. */
    private record Model(BitSet below, boolean infinite) {
        static Model random(Random random) {
            BitSet bits = new BitSet(HORIZON);
            int span = random.nextInt(4) == 0 ? 8 : 1 + random.nextInt(HORIZON);
            int runs = random.nextInt(6);
            for (int i = 0; i < runs; i++) {
                int from = random.nextInt(span);
                bits.flip(from, Math.min(span, from + 1 + random.nextInt(random.nextBoolean() ? 2 : 100)));
            }
            boolean infinite = random.nextInt(3) == 0;
            if (infinite) {
                bits.set(random.nextInt(HORIZON), HORIZON);
            }
            return new Model(bits, infinite);
        }

        CpuSet set() {
            CpuSet set = CpuSet.ofBitSet(below);
            return infinite ? set.union(CpuSet.range(0, HORIZON - 1).complement()) : set;
        }

        Model with(Model other, Operation operation) {
            BitSet result = new BitSet(HORIZON);
            for (int i = 0; i < HORIZON; i++) {
                result.set(i, operation.member(below.get(i), other.below.get(i)));
            }
            return new Model(result, operation.member(infinite, other.infinite));
        }

        Model changed(int index, boolean member) {
            BitSet result = (BitSet) below.clone();
            result.set(index, member);
            return new Model(result, infinite);
        }

        static Model range(int from, int to) {
            BitSet bits = new BitSet(HORIZON);
            bits.set(from, to + 1);
            return new Model(bits, false);
        }

        Model withWord(int index, long word) {
            BitSet result = (BitSet) below.clone();
            result.clear(64 * index, 64 * index + 64);
            BitSet moved = BitSet.valueOf(new long[] {word});
            moved.stream().forEach(bit -> result.set(64 * index + bit));
            return new Model(result, infinite);
        }

        int firstOrLast() {
            return !below.isEmpty() ? below.nextSetBit(0) : infinite ? HORIZON : Integer.MAX_VALUE;
        }

        boolean any() {
            return infinite || !below.isEmpty();
        }
    }

    private interface Operation {
        boolean member(boolean mine, boolean theirs);
    }

    @Test
    void operationsAgreeWithBitSet() {
        long seed = RandomSeed.next("set algebra");
        Random random = new Random(seed);
        for (int i = 0; i < CASES; i++) {
            Model a = Model.random(random);
            Model b = random.nextInt(8) == 0 ? a : Model.random(random);
            CpuSet x = a.set();
            CpuSet y = b.set();
            String about = "seed " + seed + " case " + i + ": " + x + " and " + y;
            assertSame(x, a, about);
            assertSame(x.union(y), a.with(b, (m, t) -> m || t), about);
            assertSame(x.intersection(y), a.with(b, (m, t) -> m && t), about);
            assertSame(x.minus(y), a.with(b, (m, t) -> m && !t), about);
            assertSame(x.symmetricDifference(y), a.with(b, (m, t) -> m != t), about);
            assertSame(x.complement(), a.with(a, (m, t) -> !m), about);
            Model shared = a.with(b, (m, t) -> m && t);
            Model missing = a.with(b, (m, t) -> !m && t);
            check(x.intersects(y) == shared.any(), about);
            check(x.containsAll(y) != missing.any(), about);
            check(x.equals(y) == a.equals(b), about);
            check(!a.equals(b) || x.hashCode() == y.hashCode(), about);
            check(Integer.signum(x.compareTo(y)) == order(a, b), about);
            int index = random.nextInt(HORIZON);
            assertSame(x.with(index), a.changed(index, true), about);
            assertSame(x.without(index), a.changed(index, false), about);
            int to = index + random.nextInt(HORIZON - index);
            Model range = Model.range(index, to);
            assertSame(x.withRange(index, to), a.with(range, (m, t) -> m || t), about);
            assertSame(x.withoutRange(index, to), a.with(range, (m, t) -> m && !t), about);
            int word = random.nextInt(HORIZON / 64);
            long bits = random.nextLong();
            assertSame(x.withWord(word, bits), a.withWord(word, bits), about);
            check(x.withWord(word, bits).word(word) == bits, about);
            check(Integer.signum(x.compareFirst(y)) == Integer.compare(a.firstOrLast(), b.firstOrLast()), about);
        }
    }

    @Test
    void textsReadBackAsTheSameSet() {
        long seed = RandomSeed.next("set texts");
        Random random = new Random(seed);
        for (int i = 0; i < CASES; i++) {
            CpuSet set = Model.random(random).set();
            check(CpuSet.parseList(set.toString()).equals(set), "seed " + seed + " list " + set);
            check(CpuSet.parseMask(set.toMaskString()).equals(set), "seed " + seed + " mask " + set.toMaskString());
            check(CpuSet.parseMask(set.toTasksetString()).equals(set), "seed " + seed + " " + set.toTasksetString());
            if (!set.isInfinite()) {
                int[] members = set.toBitSet().stream().toArray();
                check(Arrays.equals(set.toArray(), members), "seed " + seed + " array of " + set);
                check(Arrays.equals(collected(set), members), "seed " + seed + " each of " + set);
                check(Arrays.equals(iterated(set), members), "seed " + seed + " iterator of " + set);
                check(CpuSet.ofLongs(set.toLongs()).equals(set), "seed " + seed + " words of " + set);
            }
        }
    }

    private static int[] collected(CpuSet set) {
        IntStream.Builder members = IntStream.builder();
        set.forEachIndex(members::add);
        return members.build().toArray();
    }

    private static int[] iterated(CpuSet set) {
        IntStream.Builder members = IntStream.builder();
        PrimitiveIterator.OfInt iterator = set.iterator();
        while (iterator.hasNext()) {
            members.add(iterator.nextInt());
        }
        assertThatThrownBy(iterator::nextInt).isInstanceOf(NoSuchElementException.class);
        return members.build().toArray();
    }

    @Test
    void infiniteSetsRefuseToBeCounted() {
        CpuSet all = CpuSet.full();
        assertThatThrownBy(all::size).isInstanceOf(IllegalStateException.class).hasMessageContaining("0-");
        assertThatThrownBy(all::toArray).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(all::iterator).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(all::toLongs).isInstanceOf(IllegalStateException.class);
        assertThat(all.next(Integer.MAX_VALUE)).isEqualTo(-1);
        assertThat(all.contains(Integer.MAX_VALUE)).isTrue();
        assertThat(all.contains(-1)).isFalse();
    }

    private static void assertSame(CpuSet set, Model model, String about) {
        check(set.isInfinite() == model.infinite, about);
        check(set.isEmpty() != model.any(), about);
        int previous = -1;
        int previousUnset = -1;
        for (int i = 0; i < HORIZON + 200; i++) {
            boolean member = i < HORIZON ? model.below.get(i) : model.infinite;
            if (set.contains(i) != member) {
                throw new AssertionError(about + ": wrong at " + i + " in " + set);
            }
            if (member) {
                check(set.next(previous) == i, about);
                previous = i;
            } else {
                check(set.nextUnset(previousUnset) == i, about);
                previousUnset = i;
            }
        }
        check(set.first() == (model.below.isEmpty() && model.infinite ? HORIZON : model.below.nextSetBit(0)), about);
        check(set.last() == (model.infinite ? -1 : model.below.length() - 1), about);
        int lastUnset = model.infinite ? model.below.previousClearBit(HORIZON - 1) : -1;
        check(set.lastUnset() == lastUnset, about);
        boolean full = model.infinite && model.below.cardinality() == HORIZON;
        check(set.isFull() == full, about);
        check(set.firstUnset() == (full ? -1 : model.below.nextClearBit(0)), about);
        check(model.infinite || set.size() == model.below.cardinality(), about);
        check(set.singlify().equals(model.any() ? CpuSet.of(set.first()) : CpuSet.empty()), about);
    }

    private static int order(Model a, Model b) {
        if (a.infinite != b.infinite) {
            return a.infinite ? 1 : -1;
        }
        BitSet different = (BitSet) a.below.clone();
        different.xor(b.below);
        if (different.isEmpty()) {
            return 0;
        }
        return a.below.get(different.length() - 1) ? 1 : -1;
    }

    /** Cheaper than an assertion object for each of millions of comparisons. */
    private static void check(boolean holds, String about) {
        if (!holds) {
            throw new AssertionError(about);
        }
    }
}
