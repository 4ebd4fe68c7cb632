package org.berth.yarn;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationReport;
import org.apache.hadoop.yarn.api.records.ApplicationSubmissionContext;
import org.apache.hadoop.yarn.api.records.ContainerLaunchContext;
import org.apache.hadoop.yarn.api.records.ContainerRetryContext;
import org.apache.hadoop.yarn.api.records.ContainerRetryPolicy;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.YarnApplicationState;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.apache.hadoop.yarn.client.api.YarnClientApplication;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.berth.oracle.Await;

/**
 * An application of one container that runs a shell that waits for a child that sleeps, and fails when that ends; it is
 * relaunched once then. It writes their pids into a file.
 *
 * @param client who submitted it
 * @param id of it
 * @param folder of the file with the pids
 * @param pid the container's first process
 * @param child of that process
 */
record Application(YarnClient client, ApplicationId id, Path folder, long pid, long child) {
    static Application start(YarnClient client, Path folder, int vcores) throws Exception {
        return running(client, submit(client, folder, vcores), folder);
    }

    static ApplicationId submit(YarnClient client, Path folder, int vcores) throws Exception {
        YarnClientApplication created = client.createApplication();
        ApplicationSubmissionContext context = created.getApplicationSubmissionContext();
        Path file = file(folder, context.getApplicationId());
        String command =
                "sleep 900 & echo \\$\\$ \\$! > " + file + ".new && mv " + file + ".new " + file + " && wait; exit 3";
        ContainerLaunchContext launch =
                ContainerLaunchContext.newInstance(Map.of(), Map.of(), List.of(command), null, null, null);
        launch.setContainerRetryContext(
                ContainerRetryContext.newInstance(ContainerRetryPolicy.RETRY_ON_SPECIFIC_ERROR_CODES, Set.of(3), 1, 0));
        context.setApplicationName("asleep");
        context.setResource(Resource.newInstance(64, vcores));
        context.setMaxAppAttempts(1);
        context.setAMContainerSpec(launch);
        try {
            return client.submitApplication(context);
        } catch (YarnException e) {
            // Thrown too when it was accepted, and has failed before the client first asked how it is.
            ApplicationId id = context.getApplicationId();
            if (client.getApplicationReport(id).getYarnApplicationState() == YarnApplicationState.FAILED) {
                return id;
            }
            throw e;
        }
    }

    private static Path file(Path folder, ApplicationId id) {
        return folder.resolve(id.toString());
    }

    /** One that was submitted, once its command runs. */
    static Application running(YarnClient client, ApplicationId id, Path folder) throws IOException {
        Path file = file(folder, id);
        Await.until("the pid of " + id, () -> Files.exists(file));
        String[] pids = Files.readString(file).strip().split(" ", -1);
        return new Application(client, id, folder, Long.parseLong(pids[0]), Long.parseLong(pids[1]));
    }

    /** Lets it fail; returns when it runs once more. */
    Application fail() throws IOException {
        Files.delete(file(folder, id));
        ProcessHandle.of(child).ifPresent(ProcessHandle::destroyForcibly);
        return running(client, id, folder);
    }

    /** The name of its only container. */
    String container() {
        return container(id);
    }

    static String container(ApplicationId id) {
        return id.toString().replace("application", "container") + "_01_000001";
    }

    boolean isAlive() {
        return ProcessHandle.of(pid).isPresent();
    }

    /** Ends it as a user does, and waits for the end of its processes. */
    void kill() throws Exception {
        client.killApplication(id);
        Await.until(
                "the end of " + id, () -> !isAlive() && ProcessHandle.of(child).isEmpty());
    }

    /** Ends all that a test left, which would hold vcores that the next ones wait for. */
    static void endAll(YarnClient client) throws Exception {
        EnumSet<YarnApplicationState> unfinished = EnumSet.complementOf(
                EnumSet.of(YarnApplicationState.FINISHED, YarnApplicationState.FAILED, YarnApplicationState.KILLED));
        for (ApplicationReport left : client.getApplications(unfinished)) {
            client.killApplication(left.getApplicationId());
        }
    }

    /** Ends its processes where nobody is left to do it. */
    void killProcesses() {
        for (long each : List.of(pid, child)) {
            ProcessHandle.of(each).ifPresent(ProcessHandle::destroyForcibly);
        }
        Await.until("the end of " + id, () -> !isAlive());
    }

    static List<String> berthLines(Path log) {
        try {
            return Files.readAllLines(log).stream()
                    .filter(line -> line.contains("Berth"))
                    .toList();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
