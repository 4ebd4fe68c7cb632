package org.berth.microbenchmarks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.Credentials;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ContainerLaunchContext;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.event.AsyncDispatcher;
import org.apache.hadoop.yarn.security.ContainerTokenIdentifier;
import org.apache.hadoop.yarn.server.nodemanager.LocalDirsHandlerService;
import org.apache.hadoop.yarn.server.nodemanager.NodeManager.NMContext;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.ContainerEvent;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.ContainerEventType;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.ContainerImpl;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.ContainerState;
import org.apache.hadoop.yarn.server.nodemanager.metrics.NodeManagerMetrics;
import org.apache.hadoop.yarn.server.nodemanager.recovery.NMNullStateStoreService;
import org.apache.hadoop.yarn.server.nodemanager.security.NMContainerTokenSecretManager;
import org.apache.hadoop.yarn.server.nodemanager.security.NMTokenSecretManagerInNM;
import org.apache.hadoop.yarn.server.security.ApplicationACLsManager;
import org.berth.yarn.AffinityListener;

/** Containers as a NodeManager makes them, with the listener that changes their commands; none is launched. */
final class YarnContainers {
    /** There may be only one of it in a JVM. */
    private static final NodeManagerMetrics METRICS = NodeManagerMetrics.create();

    private final Configuration settings = new Configuration(false);
    private final NMContext node;
    private final AsyncDispatcher dispatcher = new AsyncDispatcher("not started");
    private final AffinityListener listener = new AffinityListener();
    private final ContainerTokenIdentifier identifier;

    /** @param leases folder of the ledger */
    YarnContainers(Path leases) {
        settings.set("berth.yarn.domain", "core:1");
        settings.set("berth.yarn.leases", leases.toString());
        node = new NMContext(
                new NMContainerTokenSecretManager(settings),
                new NMTokenSecretManagerInNM(),
                new LocalDirsHandlerService(),
                new ApplicationACLsManager(settings),
                new NMNullStateStoreService(),
                false,
                settings);
        ContainerId id = ContainerId.newContainerId(
                ApplicationAttemptId.newInstance(ApplicationId.newInstance(1_763_000_000_000L, 1), 1), 2);
        identifier = new ContainerTokenIdentifier(
                id, "127.0.0.1:1", "user", Resource.newInstance(1024, 1), 0, 0, 0, Priority.newInstance(0), 0);
        listener.init(node);
    }

    /** A container that is about to be launched. */
    ContainerImpl made(List<String> commands) {
        ContainerLaunchContext launch = ContainerLaunchContext.newInstance(
                new HashMap<>(), new HashMap<>(), new ArrayList<>(commands), new HashMap<>(), null, new HashMap<>());
        return new ContainerImpl(settings, dispatcher, launch, new Credentials(), METRICS, identifier, node);
    }

    /** What the listener makes of its commands: it measures nothing when the listener has given up. */
    List<String> listened(List<String> commands) {
        ContainerImpl container = made(commands);
        ContainerEvent event = new ContainerEvent(container.getContainerId(), ContainerEventType.INIT_CONTAINER);
        listener.preTransition(container, ContainerState.NEW, event);
        List<String> changed = container.getLaunchContext().getCommands();
        if (changed.size() != commands.size() + 1) {
            throw new IllegalStateException("the listener has not changed the command");
        }
        return changed;
    }

    static Path temporaryFolder() {
        try {
            return Files.createTempDirectory("berth-benchmark");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Deletes a folder with all that is in it. */
    static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
