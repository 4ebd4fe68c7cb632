package org.berth.spark.threads;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.EventExecutor;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import org.berth.binding.LocalMachine;
import org.berth.binding.SlotBinder;
import org.berth.oracle.ProcStatus;
import org.berth.topology.CpuSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Netty's event loops, made by the factory of a program's own slots; Spark brings Netty. */
@Tag("one-jdk")
@Timeout(120)
class EventLoopsTest {
    @Test
    @SuppressWarnings("deprecation") // of Netty 4.2; Spark 4.0 has 4.1, which has no successor of it
    void eachLoopIsOnACoreOfItsOwn() throws ExecutionException, InterruptedException {
        LocalMachine machine = LocalMachine.open();
        try (SlotBinder slots = SlotBinder.ofCores(machine)) {
            EventLoopGroup loops =
                    new NioEventLoopGroup(slots.size(), slots.threadFactory(new DefaultThreadFactory("loop")));
            List<String> masks = new ArrayList<>();
            for (EventExecutor loop : loops) {
                masks.add(loop.submit(() -> ProcStatus.callingThread().cpus()).get());
            }
            assertThat(masks)
                    .containsExactlyInAnyOrderElementsOf(machine.topology().allowedCores().stream()
                            .map(CpuSet::toString)
                            .toList());
            loops.shutdownGracefully().sync();
        }
    }
}
