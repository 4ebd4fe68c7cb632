package org.berth.yarn;

import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.server.nodemanager.ContainerStateTransitionListener;
import org.apache.hadoop.yarn.server.nodemanager.Context;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.Container;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.ContainerEvent;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.ContainerEventType;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.ContainerImpl;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.ContainerState;
import org.berth.binding.internal.jvm.BerthCopies;
import org.berth.binding.internal.jvm.FailureText;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives each container of a NodeManager a part of the machine by a lease, before its processes start; for {@code
 * yarn.nodemanager.container-state-transition-listener.classes}. {@code docs/engines/yarn.md} has the settings,
 * docs/decisions/0013 the reasons.
 *
 * <p>Nothing that goes wrong here reaches the NodeManager: it is a warning, and containers run unbound. Thread-safe.
 */
public final class AffinityListener implements ContainerStateTransitionListener {
    static final Logger LOG = LoggerFactory.getLogger(AffinityListener.class);

    private volatile Optional<Listening> listening = Optional.empty();

    private record Listening(ContainerBinder binder, ContainerWatch watch, YarnFailures failures) {}

    /** Made by the NodeManager. */
    public AffinityListener() {}

    /** Reads the settings and the machine; never throws. */
    @Override
    public void init(Context node) {
        try {
            // For the life of the NodeManager, which tells a listener nothing of its end.
            BerthCopies.Use copy = BerthCopies.use("the containers of this NodeManager", AffinityListener.class);
            copy.line().ifPresent(line -> LOG.warn("Berth: {}", line));
            if (!copy.isAllowed()) {
                return;
            }
            Configuration settings = node.getConf();
            YarnFailures failures = new YarnFailures();
            ContainerBinder binder = NodeManagerSetup.of(settings, failures);
            listening = Optional.of(new Listening(binder, new ContainerWatch(node, binder, failures), failures));
        } catch (RuntimeException | LinkageError e) {
            LOG.warn("Berth: all containers of this NodeManager run unbound: {}", FailureText.of(e));
            LOG.debug("Berth:", e);
        }
    }

    /** Before a container is localised and launched; never throws. */
    @Override
    public void preTransition(ContainerImpl container, ContainerState before, ContainerEvent event) {
        if (event.getType() == ContainerEventType.INIT_CONTAINER) {
            prepare(container);
        }
    }

    /** Handles a container that gets another command (re-initialisation) or starts to run; never throws. */
    @Override
    public void postTransition(
            ContainerImpl container, ContainerState before, ContainerState after, ContainerEvent event) {
        if (after == ContainerState.SCHEDULED && before != after) {
            prepare(container);
        }
        if (after == ContainerState.RUNNING && event.getType() == ContainerEventType.CONTAINER_LAUNCHED) {
            listening.ifPresent(active -> watch(active, container));
        }
    }

    private void prepare(Container container) {
        listening.ifPresent(active -> {
            try {
                active.binder.prepare(container);
            } catch (RuntimeException | LinkageError e) {
                String id = container.getContainerId().toString();
                active.failures.add(
                        "prepare " + e.getClass().getName(), id + " is started unbound: " + FailureText.of(e));
            }
        });
    }

    private static void watch(Listening active, Container container) {
        try {
            if (active.binder.concerns(container)) {
                active.watch.launched(container);
            }
        } catch (RuntimeException | LinkageError e) {
            active.failures.add("watch", container.getContainerId() + " is not checked: " + FailureText.of(e));
        }
    }
}
