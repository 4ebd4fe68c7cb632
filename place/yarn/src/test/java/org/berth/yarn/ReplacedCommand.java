package org.berth.yarn;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationSubmissionContext;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerLaunchContext;
import org.apache.hadoop.yarn.api.records.FinalApplicationStatus;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.client.api.AMRMClient;
import org.apache.hadoop.yarn.client.api.AMRMClient.ContainerRequest;
import org.apache.hadoop.yarn.client.api.NMClient;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.berth.oracle.Await;

/** An application whose master is this test: the command of its one container is replaced while it runs, as services do. */
final class ReplacedCommand implements AutoCloseable {
    private final Path folder;
    private final AMRMClient<ContainerRequest> master;
    private final NMClient node;
    private final Container container;
    private int commands;

    private ReplacedCommand(Path folder, AMRMClient<ContainerRequest> master, NMClient node, Container container) {
        this.folder = folder;
        this.master = master;
        this.node = node;
        this.container = container;
    }

    static ReplacedCommand start(YarnClient client, Configuration settings, Path folder) throws Exception {
        ApplicationSubmissionContext context = client.createApplication().getApplicationSubmissionContext();
        context.setApplicationName("replaced");
        context.setUnmanagedAM(true);
        context.setMaxAppAttempts(1);
        context.setResource(Resource.newInstance(64, 1));
        context.setAMContainerSpec(launch(List.of()));
        ApplicationId id = client.submitApplication(context);
        Await.until("the attempt of " + id, () -> hasToken(client, id));
        UserGroupInformation.getCurrentUser().addToken(client.getAMRMToken(id));
        AMRMClient<ContainerRequest> master = AMRMClient.createAMRMClient();
        master.init(settings);
        master.start();
        master.registerApplicationMaster("127.0.0.1", 0, "");
        NMClient node = NMClient.createNMClient();
        node.init(settings);
        node.start();
        master.addContainerRequest(
                new ContainerRequest(Resource.newInstance(64, 1), null, null, Priority.newInstance(0)));
        List<Container> given = Await.until(
                "a container", () -> master.allocate(0).getAllocatedContainers(), containers -> !containers.isEmpty());
        return new ReplacedCommand(folder, master, node, given.get(0));
    }

    private static boolean hasToken(YarnClient client, ApplicationId id) {
        try {
            return client.getAMRMToken(id) != null;
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static ContainerLaunchContext launch(List<String> commands) {
        return ContainerLaunchContext.newInstance(Map.of(), Map.of(), commands, null, null, null);
    }

    String container() {
        return container.getId().toString();
    }

    /** Launches it; the pid of its command. */
    long run() throws Exception {
        Path file = nextFile();
        node.startContainer(container, launch(List.of(command(file))));
        return pid(file);
    }

    /** Lets it run another command; the pid of that. */
    long replace() throws Exception {
        Path file = nextFile();
        node.reInitializeContainer(container.getId(), launch(List.of(command(file))), true);
        return pid(file);
    }

    private Path nextFile() {
        return folder.resolve(container() + "-" + ++commands);
    }

    private static String command(Path file) {
        return "echo \\$\\$ > " + file + ".new && mv " + file + ".new " + file + " && exec sleep 900";
    }

    private static long pid(Path file) throws Exception {
        Await.until("the command of " + file, () -> Files.exists(file));
        return Long.parseLong(Files.readString(file).strip());
    }

    @Override
    public void close() throws IOException, YarnException {
        node.stopContainer(container.getId(), container.getNodeId());
        node.stop();
        master.unregisterApplicationMaster(FinalApplicationStatus.SUCCEEDED, "", "");
        master.stop();
    }
}
