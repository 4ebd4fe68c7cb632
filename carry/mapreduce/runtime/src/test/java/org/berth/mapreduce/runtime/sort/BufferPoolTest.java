package org.berth.mapreduce.runtime.sort;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import org.junit.jupiter.api.Test;

/** The pool's accounts. */
class BufferPoolTest {
    @Test
    void buffersAreUsedAgainAndTheTotalIsBounded() {
        BufferPool pool = new BufferPool(10_000, 1000, 1, 2000);
        assertThat(pool.sortPages()).isEqualTo(2);
        assertThat(pool.blockLimit()).isEqualTo(7000);
        PageSource sort = pool.sortSource();
        Page first = sort.lease(10);
        byte[] data = first.data;
        sort.giveBack(first);
        assertThat(pool.leasedBytes()).isZero();
        BufferPool.Room room = Objects.requireNonNull(pool.reserve(6000));
        assertThat(room.lease(10).data).isSameAs(data);
        assertThat(pool.leasedBytes()).isEqualTo(6000);
        assertThat(pool.reserve(1001)).isNull();
        room.close();
        assertThat(pool.leasedBytes()).isEqualTo(1000);
    }

    @Test
    void whatExceedsARoomCountsAtOnce() {
        BufferPool pool = new BufferPool(10_000, 1000, 1, 2000);
        BufferPool.Room room = Objects.requireNonNull(pool.reserve(6500));
        room.lease(6400);
        assertThat(pool.isOverfull()).isFalse();
        room.lease(1000);
        assertThat(pool.leasedBytes()).isEqualTo(7400);
        assertThat(pool.isOverfull()).isTrue();
    }

    @Test
    void smallBlocksTakeTheirOwnSizeOnly() {
        BufferPool pool = new BufferPool(10_000, 1000, 1, 2000);
        Page page = pool.noRoom().lease(1000);
        page.used = 30;
        Page small = pool.trimmed(page);
        assertThat(small.data).hasSize(30);
        assertThat(pool.leasedBytes()).isEqualTo(30);
        pool.returnFromBlock(small);
        assertThat(pool.leasedBytes()).isZero();
    }

    @Test
    void manyWorkersShareHalfOfALittleMemory() {
        BufferPool pool = new BufferPool(1000, 100, 16, 1 << 20);
        assertThat(pool.sortPages()).isEqualTo(1);
        assertThat(pool.blockLimit()).isZero();
    }
}
