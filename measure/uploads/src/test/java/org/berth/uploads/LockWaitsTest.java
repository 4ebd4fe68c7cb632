package org.berth.uploads;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.berth.oracle.Await;
import org.berth.oracle.Child;
import org.berth.oracle.ChildJvm;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Real waits: of threads of this JVM by what they park on, and of another one by its flight recording. */
@Timeout(240)
class LockWaitsTest {
    @TempDir
    Path folder;

    @Test
    void locksAreToldFromWhatIsNoLock() throws Exception {
        ReentrantLock lock = new ReentrantLock();
        ReentrantReadWriteLock readWrite = new ReentrantReadWriteLock(true);
        lock.lock();
        readWrite.writeLock().lock();
        assertThat(LockWaits.isLock(parkedOn(lock::lock))).isTrue();
        assertThat(LockWaits.isLock(parkedOn(readWrite.readLock()::lock))).isTrue();
        assertThat(LockWaits.isLock(parkedOn(() -> {
                    ReentrantLock own = new ReentrantLock();
                    own.lock();
                    Condition never = own.newCondition();
                    while (own.isHeldByCurrentThread()) {
                        never.awaitUninterruptibly();
                    }
                })))
                .isFalse();
        assertThat(LockWaits.isLock(parkedOn(new Semaphore(0)::acquireUninterruptibly)))
                .isFalse();
        CountDownLatch latch = new CountDownLatch(1);
        assertThat(LockWaits.isLock(parkedOn(() -> {
                    try {
                        latch.await();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                })))
                .isFalse();
    }

    private static String parkedOn(Runnable waiting) {
        Thread thread = new Thread(waiting, "waiting");
        thread.setDaemon(true);
        thread.start();
        Await.until("a blocker", () -> LockSupport.getBlocker(thread) != null);
        return String.valueOf(LockSupport.getBlocker(thread).getClass().getName());
    }

    @Test
    void waitsOfAnotherJvmAreSummedUpWithinThePhase() throws Exception {
        Path recordings = Files.createDirectory(folder.resolve("recordings"));
        Instant from = Instant.now();
        try (Child child = ChildJvm.of(WaitingProgram.class)
                .with(LockWaits.jvmOptions(recordings).toArray(String[]::new))
                .start()) {
            child.readUntil(WaitingProgram.DONE);
            Instant to = Instant.now();

            List<LockWaits> waits = LockWaits.ofEnded(
                    List.of(child.handle()),
                    recordings,
                    List.of(phase(from, to), phase(from.minusSeconds(60), from.minusSeconds(30))));

            double most = WaitingProgram.THREADS * (to.toEpochMilli() - from.toEpochMilli() + 1) / 1e3;
            assertThat(waits.get(0).lockSeconds()).isPositive().isLessThan(most);
            // The thread that waited to be notified has the name of one that works on blocks.
            assertThat(waits.get(0).notifySeconds()).isPositive().isLessThan(most);
            assertThat(waits.get(1).lockSeconds() + waits.get(1).notifySeconds())
                    .isZero();
        }
    }

    private static UploadPhase phase(Instant from, Instant to) {
        Transfers.Result result = new Transfers.Result(1, 1, List.of(1.0));
        return new UploadPhase("write", result, 0, 0, OptionalLong.empty(), from, to);
    }
}
