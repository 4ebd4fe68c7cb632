package org.berth.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ipc.RemoteException;
import org.berth.rpc.link.Leases;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A queue of a server that throws whatever it likes: each call is answered, and those behind it go on. */
@Timeout(240)
class ThrownTest {
    enum Thrown {
        MEMORY {
            @Override
            void raise() {
                throw new OutOfMemoryError("of a test");
            }
        },
        STACK {
            @Override
            void raise() {
                throw new StackOverflowError("of a test");
            }
        },
        CLASS {
            @Override
            void raise() {
                throw new NoClassDefFoundError("of a test");
            }
        },
        /** An interrupt as of a queue that waits for something of its own. */
        INTERRUPT {
            @Override
            void raise() throws InterruptedException {
                throw new InterruptedException("of a test");
            }
        };

        abstract void raise() throws InterruptedException;
    }

    /** Hadoop makes it by its class. It has no place for calls of the transport at once, and throws once when it is told to. */
    public static final class ThrowingQueue<E> extends LinkedBlockingQueue<E> {
        private static final long serialVersionUID = 1;
        private static final AtomicReference<@Nullable Thrown> LATER = new AtomicReference<>();
        private static final AtomicReference<@Nullable Thrown> AT_ONCE = new AtomicReference<>();

        public ThrowingQueue(int capacity) {
            super(capacity);
        }

        @Override
        public boolean offer(E call) {
            Thrown thrown = AT_ONCE.getAndSet(null);
            if (thrown != null) {
                try {
                    thrown.raise();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }
            return false;
        }

        @Override
        public void put(E call) throws InterruptedException {
            // Not for the calls of Hadoop's own connection.
            if (Thread.currentThread().getName().startsWith("berth-rpc-queue-")) {
                Thrown thrown = LATER.getAndSet(null);
                if (thrown != null) {
                    thrown.raise();
                }
            }
            super.put(call);
        }
    }

    private static Configuration settings() {
        Configuration settings = new Configuration();
        settings.setInt("ipc.server.handler.queue.size", 1);
        settings.setInt("ipc.client.connect.max.retries", 0);
        settings.setClass("ipc.callqueue.impl", ThrowingQueue.class, Object.class);
        return settings;
    }

    @ParameterizedTest
    @EnumSource
    void theCallIsAnsweredAndTheNextOnesGoOn(Thrown thrown) throws Exception {
        Leases.awaitNone();
        try (EchoServer server = EchoServer.start(EchoServer.FAST, settings(), 0, 1, null);
                EchoClient client = server.client(EchoServer.FAST)) {
            for (AtomicReference<@Nullable Thrown> when : List.of(ThrowingQueue.LATER, ThrowingQueue.AT_ONCE)) {
                assertThat(client.way()).isEqualTo("BerthCall");
                when.set(thrown);
                assertThatThrownBy(() -> client.echo("lost"))
                        .isInstanceOf(RemoteException.class)
                        .hasMessageContaining("of a test");
                assertThat(client.echo("next")).isEqualTo("next");
            }
        }
        Leases.awaitNone();
    }
}
