package org.berth.mapreduce.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The pool's accounts. */
class BufferPoolTest {
    @Test
    void buffersAreUsedAgainAndTheTotalIsBounded() {
        BufferPool pool = new BufferPool(10_000, 1000, 1, 2000);
        assertThat(pool.sortPages()).isEqualTo(2);
        assertThat(pool.blockLimit()).isEqualTo(7000);
        Page first = pool.leaseForSort();
        byte[] data = first.data;
        pool.returnFromSort(first);
        assertThat(pool.leasedBytes()).isZero();
        assertThat(pool.leaseForBlock(10).data).isSameAs(data);
        assertThat(pool.reserve(6000)).isTrue();
        assertThat(pool.reserve(1)).isFalse();
        pool.unreserve(6000);
        assertThat(pool.leasedBytes()).isEqualTo(1000);
    }

    @Test
    void smallBlocksTakeTheirOwnSizeOnly() {
        BufferPool pool = new BufferPool(10_000, 1000, 1, 2000);
        Page page = pool.leaseForBlock(1000);
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
