package org.berth.yarn;

import java.util.Map;

/**
 * Whether a container of Docker runs the entry point of its image, with its command as arguments that no shell reads
 * ({@code DockerLinuxContainerRuntime.checkUseEntryPoint}).
 */
final class EntryPoint {
    private static final String TYPE = "YARN_CONTAINER_RUNTIME_TYPE";
    private static final String OVERRIDE_DISABLE = "YARN_CONTAINER_RUNTIME_DOCKER_RUN_OVERRIDE_DISABLE";
    private static final String SERVICE_MODE = "YARN_CONTAINER_RUNTIME_DOCKER_SERVICE_MODE";

    private EntryPoint() {}

    /** Where the type is not told, the variables mean nothing unless Docker is the node's only runtime. */
    static boolean isUsed(Map<String, String> environment) {
        String type = environment.getOrDefault(TYPE, "docker");
        String override =
                environment.getOrDefault(OVERRIDE_DISABLE, System.getenv().getOrDefault(OVERRIDE_DISABLE, "false"));
        boolean service = Boolean.parseBoolean(environment.get(SERVICE_MODE));
        return type.equals("docker") && (service || Boolean.parseBoolean(override));
    }
}
