package org.berth.yarn;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.server.nodemanager.Context;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.Container;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.ContainerState;
import org.berth.binding.Reason;
import org.berth.yarn.ContainerProcess.Stage;

/**
 * The one thread that waits until containers that were launched run their command, and then settles them: transitions of a
 * container must not wait. Thread-safe.
 */
final class ContainerWatch {
    private static final long CHECK_MILLIS = 200;

    private final Context node;
    private final ContainerBinder binder;
    private final YarnFailures failures;
    private final Map<ContainerId, Integer> checks = new ConcurrentHashMap<>();
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(daemon());

    ContainerWatch(Context node, ContainerBinder binder, YarnFailures failures) {
        this.node = node;
        this.binder = binder;
        this.failures = failures;
    }

    private static ThreadFactory daemon() {
        return work -> {
            Thread thread = new Thread(work, "berth-containers");
            thread.setDaemon(true);
            return thread;
        };
    }

    /** Begins to look after a container that was launched, or found again by a NodeManager that was started again. */
    void launched(Container container) {
        if (checks.put(container.getContainerId(), 0) == null) {
            checkLater(container);
        }
    }

    private void checkLater(Container container) {
        var unused = thread.schedule(() -> check(container), CHECK_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void check(Container container) {
        ContainerId id = container.getContainerId();
        int number = checks.merge(id, 1, Integer::sum);
        try {
            ContainerState state = container.getContainerState();
            if (state == ContainerState.RUNNING && !settled(container)) {
                int seconds = binder.settings().patienceSeconds();
                if (number < seconds * 1000L / CHECK_MILLIS) {
                    checkLater(container);
                    return;
                }
                failures.add(
                        "slow",
                        id + " did not start its command in " + seconds + " seconds: its binding is not checked");
            }
        } catch (Throwable e) {
            failures.add("check " + e.getClass().getName(), "the check of " + id + " failed: " + Reason.of(e));
        }
        // Launched once more meanwhile, it is looked after anew.
        if (!checks.remove(id, number)) {
            checkLater(container);
        }
    }

    private boolean settled(Container container) {
        String pid = node.getContainerExecutor().getProcessId(container.getContainerId());
        if (pid == null) {
            return false;
        }
        // One that has ended may be that of before a relaunch: the container's state says whether another one comes.
        ContainerProcess process = new ContainerProcess(Long.parseLong(pid));
        if (process.stage() != Stage.STARTED) {
            return false;
        }
        binder.settle(container, process);
        return true;
    }
}
