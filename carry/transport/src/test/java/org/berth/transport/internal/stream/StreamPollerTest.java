package org.berth.transport.internal.stream;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.channels.SelectionKey;
import java.util.ArrayList;
import java.util.List;
import org.berth.transport.failure.TransportException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Pipes that are always ready, as the connections of a peer that never stops. */
class StreamPollerTest {
    private static final int CROWD = 50;
    private static final long TURN_NANOS = 2 * Turns.PART_NANOS;

    private final StreamPoller poller;
    private final List<Pipe> pipes = new ArrayList<>();

    StreamPollerTest() throws Exception {
        poller = new StreamPoller();
    }

    private Ready add(@Nullable Object owner, long turnNanos) throws Exception {
        Pipe pipe = Pipe.open();
        pipes.add(pipe);
        pipe.source().configureBlocking(false);
        pipe.sink().write(ByteBuffer.allocate(1));
        Ready ready = new Ready(owner, turnNanos);
        poller.register(pipe.source(), SelectionKey.OP_READ, ready);
        return ready;
    }

    /** It reads nothing. */
    private static final class Ready implements StreamPoller.Attachment {
        private final @Nullable Object owner;
        private final long turnNanos;
        private int turns;

        Ready(@Nullable Object owner, long turnNanos) {
            this.owner = owner;
            this.turnNanos = turnNanos;
        }

        @Override
        public @Nullable Object owner() {
            return owner;
        }

        @Override
        public void ready(int operations) {
            turns++;
            long end = System.nanoTime() + turnNanos;
            while (System.nanoTime() < end) {
                Thread.onSpinWait();
            }
        }

        @Override
        public void tick(long nowNanos) {
            // Nothing depends on time.
        }

        @Override
        public void pollerClosed(@Nullable TransportException why) {
            // The test closes the pipes.
        }
    }

    @Test
    void theCrowdOfOneOwnerHasAPartOfEachPassAndEachOfItATurn() throws Exception {
        List<Ready> crowd = new ArrayList<>();
        for (int i = 0; i < CROWD; i++) {
            crowd.add(add("crowd", TURN_NANOS));
        }
        Ready other = add("other", 0);
        Ready own = add(null, 0);
        try {
            for (int pass = 1; pass <= CROWD; pass++) {
                poller.poll(0);
                assertThat(other.turns).isEqualTo(pass);
                assertThat(own.turns).isEqualTo(pass);
                assertThat(crowd.stream().mapToInt(one -> one.turns).sum()).isEqualTo(pass);
            }
            assertThat(crowd).allSatisfy(one -> assertThat(one.turns).isEqualTo(1));
        } finally {
            poller.close(null);
            for (Pipe pipe : pipes) {
                pipe.source().close();
                pipe.sink().close();
            }
        }
    }
}
