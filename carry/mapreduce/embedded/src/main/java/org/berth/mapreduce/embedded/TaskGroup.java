package org.berth.mapreduce.embedded;

import java.util.Arrays;
import java.util.Collections;
import java.util.Set;
import java.util.WeakHashMap;
import org.berth.mapreduce.client.ExitGuard;
import org.berth.mapreduce.client.ExitRefused;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A worker thread and the threads that its tasks start. It learns when one of them would end the JVM. */
final class TaskGroup extends ThreadGroup implements ExitGuard.Tasks {
    private static final Logger LOG = LoggerFactory.getLogger(TaskGroup.class);

    private final int depth;
    private final Set<Thread> reported = Collections.newSetFromMap(new WeakHashMap<>());
    private volatile @Nullable Attempt attempt;

    TaskGroup(int depth) {
        super(root(), "berth-tasks");
        this.depth = depth;
    }

    /** Returns how many tasks submitted the job of the next one: 0 for the jobs of a client. */
    int depth() {
        return depth;
    }

    /** A worker may be started by a thread of a task, whose group is not the parent of the new one. */
    private static ThreadGroup root() {
        ThreadGroup group = Thread.currentThread().getThreadGroup();
        while (group.getParent() != null) {
            group = group.getParent();
        }
        return group;
    }

    void enter(Attempt next) {
        attempt = next;
    }

    /** Ends the task, and warns of threads that it has left behind and that keep the JVM alive. */
    void leave() {
        Attempt left = attempt;
        attempt = null;
        Thread[] threads = new Thread[activeCount() + 8];
        int count = enumerate(threads, false);
        for (Thread thread : Arrays.asList(threads).subList(0, count)) {
            if (left != null && !thread.isDaemon() && reported.add(thread)) {
                LOG.warn(
                        "{} has left the thread '{}' behind: the JVM of the client does not end before it does",
                        left.id(),
                        thread.getName());
            }
        }
    }

    /** @throws ExitRefused when a task is under way, or a task has left the calling thread behind */
    @Override
    public void askToExit() {
        Attempt running = attempt;
        if (running != null) {
            throw running.exits();
        }
        if (!(Thread.currentThread() instanceof WorkerPool.Worker)) {
            throw new ExitRefused("a thread that a task has left behind");
        }
    }

    @Override
    public void uncaughtException(Thread thread, Throwable error) {
        // The attempt has reported it already.
        if (!(error instanceof ExitRefused)) {
            super.uncaughtException(thread, error);
        }
    }
}
