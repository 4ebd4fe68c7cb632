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
import org.berth.binding.internal.jvm.FailureText;
import org.berth.yarn.ContainerProcess.Stage;

/**
 * The one thread that waits until containers that were launched run their command, and then settles them: transitions of a
 * container must not wait. Thread-safe.
 */
final class ContainerWatch {
    private static final long CHECK_MILLIS = 200;

    /** The number of no check. */
    private static final int NONE = -1;

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

    /** Starts to watch a container that was launched, or found again by a NodeManager that was started again. */
    void launched(Container container) {
        if (checks.put(container.getContainerId(), 0) == null) {
            checkLater(container);
        }
    }

    /**
     * Containers in the map are checked again: a container that stayed in it would never be checked when it is launched
     * once more.
     */
    private void checkLater(Container container) {
        try {
            var unused = thread.schedule(() -> check(container), CHECK_MILLIS, TimeUnit.MILLISECONDS);
        } catch (Throwable e) {
            checks.remove(container.getContainerId());
            throw e;
        }
    }

    private void check(Container container) {
        ContainerId id = container.getContainerId();
        int number = NONE;
        boolean isOver = true;
        try {
            number = checks.merge(id, 1, Integer::sum);
            isOver = isOver(container, number);
        } catch (Throwable e) {
            tell(id, e);
        }
        // Launched once more meanwhile, it is looked after anew.
        if (!isOver || !checks.remove(id, number)) {
            checkLater(container);
        }
    }

    private boolean isOver(Container container, int number) {
        if (container.getContainerState() != ContainerState.RUNNING || settled(container)) {
            return true;
        }
        int seconds = binder.settings().patienceSeconds();
        if (number < seconds * 1000L / CHECK_MILLIS) {
            return false;
        }
        failures.add(
                "slow",
                container.getContainerId() + " did not start its command in " + seconds
                        + " seconds: its binding is not checked");
        return true;
    }

    private void tell(ContainerId id, Throwable failure) {
        try {
            failures.add(
                    "check " + failure.getClass().getName(),
                    "the check of " + id + " failed: " + FailureText.of(failure));
        } catch (Throwable ofTheLog) {
            // The next containers are checked all the same.
        }
    }

    private boolean settled(Container container) {
        String pid = node.getContainerExecutor().getProcessId(container.getContainerId());
        if (pid == null) {
            return false;
        }
        // One that has ended may precede a relaunch: the container's state says whether another one comes.
        ContainerProcess process = new ContainerProcess(Long.parseLong(pid));
        if (process.stage() != Stage.STARTED) {
            return false;
        }
        binder.settle(container, process);
        return true;
    }
}
