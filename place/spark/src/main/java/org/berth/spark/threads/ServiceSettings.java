package org.berth.spark.threads;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.spark.SparkConf;
import scala.Tuple2;

/**
 * The settings for an executor's threads that run no task, and for its Python processes:
 *
 * <pre>{@code
 * spark.berth.threads=auto|domain|slot|off|cpus:LIST|o2nts|o2acs|o2ocs|o2ntc|o2occ   for all roles
 * spark.berth.threads.ROLE=…      for one: shuffle-server, shuffle-client, rpc, block-push, dispatcher, block-manager,
 *                                 heartbeat, other, gc, jit
 * spark.berth.nic=eth0            which network card; that of the default route when not given
 * spark.berth.python=task|domain|off
 * }</pre>
 *
 * <p>A policy near a device for all roles applies to those that use the network; the others keep {@code auto}.
 */
public final class ServiceSettings {
    /** Spark setting: CPUs of the threads that run no task, of all roles or with {@code .ROLE} of one. */
    public static final String THREADS = "spark.berth.threads";
    /** Spark setting: the network card for these threads. */
    public static final String NETWORK_CARD = "spark.berth.nic";
    /** Spark setting: CPUs of Python workers. */
    public static final String PYTHON = "spark.berth.python";

    private static final String DAEMON_MODULE = "spark.python.daemon.module";
    private static final String WORKER_MODULE = "spark.python.worker.module";

    /** How worker processes of Python are bound. */
    enum Python {
        /** Each worker to the slot of its task. */
        TASK,
        /** All workers to the executor's domain. */
        DOMAIN,
        /** No binding: workers inherit the slot of the task that happened to start them. */
        OFF
    }

    private final Map<ServiceRole, ServiceTarget> targets;
    private final boolean explicit;
    private final Map<ServiceRole, Boolean> own;
    private final Optional<String> networkCard;
    private final Python python;
    private final List<String> pythonModules;

    private ServiceSettings(Map<String, String> conf) {
        targets = new EnumMap<>(ServiceRole.class);
        own = new EnumMap<>(ServiceRole.class);
        explicit = conf.containsKey(THREADS);
        ServiceTarget all = ServiceTarget.parse(THREADS, conf.getOrDefault(THREADS, "auto"));
        for (ServiceRole role : ServiceRole.values()) {
            String setting = THREADS + "." + role.word();
            String text = conf.get(setting);
            boolean notForAll = all.kind() == ServiceTarget.Kind.POLICY && !role.usesNetwork();
            targets.put(role, text != null ? ServiceTarget.parse(setting, text) : notForAll ? ServiceTarget.AUTO : all);
            own.put(role, text != null);
        }
        requireKnown(conf);
        networkCard = Optional.ofNullable(conf.get(NETWORK_CARD)).map(String::strip);
        python = python(conf.getOrDefault(PYTHON, "task"));
        pythonModules = List.of(
                conf.getOrDefault(DAEMON_MODULE, "pyspark.daemon"), conf.getOrDefault(WORKER_MODULE, "pyspark.worker"));
    }

    /**
     * Reads them out of all settings of an application, and ignores those of others.
     *
     * @throws IllegalArgumentException one line, when a value or a role is not valid
     */
    static ServiceSettings of(Map<String, String> conf) {
        return new ServiceSettings(conf);
    }

    /** Reads them out of Spark's configuration; see {@link #of(Map)}. */
    public static ServiceSettings of(SparkConf conf) {
        Map<String, String> all = new HashMap<>();
        for (Tuple2<String, String> setting : conf.getAll()) {
            all.put(setting._1(), setting._2());
        }
        return of(all);
    }

    private static void requireKnown(Map<String, String> conf) {
        String prefix = THREADS + ".";
        for (String setting : conf.keySet()) {
            if (setting.startsWith(prefix)
                    && Arrays.stream(ServiceRole.values()).noneMatch(role -> setting.equals(prefix + role.word()))) {
                throw new IllegalArgumentException(setting + " names no role; the roles are "
                        + Arrays.stream(ServiceRole.values())
                                .map(ServiceRole::word)
                                .collect(Collectors.joining(", ")));
            }
        }
    }

    private static Python python(String text) {
        return switch (text.strip()) {
            case "task" -> Python.TASK;
            case "domain" -> Python.DOMAIN;
            case "off" -> Python.OFF;
            default ->
                throw new IllegalArgumentException(PYTHON + " cannot be '" + text + "'; it is task, domain or off");
        };
    }

    ServiceTarget target(ServiceRole role) {
        return targets.getOrDefault(role, ServiceTarget.AUTO);
    }

    /** The setting that chose the target of this role. */
    String settingOf(ServiceRole role) {
        return own.getOrDefault(role, false) ? THREADS + "." + role.word() : THREADS;
    }

    /** Whether the user chose a target other than {@code off} for any role. */
    public boolean placesThreads() {
        return Arrays.stream(ServiceRole.values())
                .anyMatch(role -> isSet(role) && target(role).kind() != ServiceTarget.Kind.OFF);
    }

    /** Whether the user chose a target for this role. */
    boolean isSet(ServiceRole role) {
        return explicit || own.getOrDefault(role, false);
    }

    Optional<String> networkCard() {
        return networkCard;
    }

    Python python() {
        return python;
    }

    /** The modules in the command lines of daemon and workers; the daemon's first. */
    List<String> pythonModules() {
        return pythonModules;
    }
}
