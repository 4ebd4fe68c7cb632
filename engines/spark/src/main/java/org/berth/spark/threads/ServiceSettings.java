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
 * What the user says of an executor's threads that run no task, and of its Python processes:
 *
 * <pre>{@code
 * spark.berth.threads=auto|domain|slot|off|cpus:LIST|o2nts|o2acs|o2ocs|o2ntc|o2occ   for all roles
 * spark.berth.threads.ROLE=…      for one: shuffle-server, shuffle-client, rpc, block-push, dispatcher, block-manager,
 *                                 heartbeat, other, gc, jit
 * spark.berth.nic=eth0            which network card; that of the default route when not given
 * spark.berth.python=task|domain|off
 * }</pre>
 *
 * <p>A policy near a device for all roles is for those that use the network; the others then are where {@code auto} puts
 * them.
 */
public final class ServiceSettings {
    static final String THREADS = "spark.berth.threads";
    static final String NETWORK_CARD = "spark.berth.nic";
    static final String PYTHON = "spark.berth.python";
    private static final String DAEMON_MODULE = "spark.python.daemon.module";
    private static final String WORKER_MODULE = "spark.python.worker.module";

    /** How worker processes of Python are bound. */
    enum Python {
        /** Each where the task is that it works for. */
        TASK,
        /** All on the executor's domain. */
        DOMAIN,
        /** Not at all: they inherit the place of the task that happened to start them. */
        OFF
    }

    private final Map<ServiceRole, ServicePlace> places;
    private final boolean explicit;
    private final Map<ServiceRole, Boolean> own;
    private final Optional<String> networkCard;
    private final Python python;
    private final List<String> pythonModules;

    private ServiceSettings(Map<String, String> conf) {
        places = new EnumMap<>(ServiceRole.class);
        own = new EnumMap<>(ServiceRole.class);
        explicit = conf.containsKey(THREADS);
        ServicePlace all = ServicePlace.parse(THREADS, conf.getOrDefault(THREADS, "auto"));
        for (ServiceRole role : ServiceRole.values()) {
            String setting = THREADS + "." + role.word();
            String text = conf.get(setting);
            boolean notForAll = all.kind() == ServicePlace.Kind.POLICY && !role.usesNetwork();
            places.put(role, text != null ? ServicePlace.parse(setting, text) : notForAll ? ServicePlace.AUTO : all);
            own.put(role, text != null);
        }
        requireKnown(conf);
        networkCard = Optional.ofNullable(conf.get(NETWORK_CARD)).map(String::strip);
        python = python(conf.getOrDefault(PYTHON, "task"));
        pythonModules = List.of(
                conf.getOrDefault(DAEMON_MODULE, "pyspark.daemon"), conf.getOrDefault(WORKER_MODULE, "pyspark.worker"));
    }

    /**
     * Reads them out of all settings of an application; those of others are passed over.
     *
     * @throws IllegalArgumentException one line, when a value or a role is not known
     */
    static ServiceSettings of(Map<String, String> conf) {
        return new ServiceSettings(conf);
    }

    /** As {@link #of(Map)}. */
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

    ServicePlace place(ServiceRole role) {
        return places.getOrDefault(role, ServicePlace.AUTO);
    }

    /** Whether the user said something of this role, and not only the defaults do. */
    boolean isSaid(ServiceRole role) {
        return explicit || own.getOrDefault(role, false);
    }

    Optional<String> networkCard() {
        return networkCard;
    }

    Python python() {
        return python;
    }

    /** The modules that are on the command line of the processes that we look for. */
    List<String> pythonModules() {
        return pythonModules;
    }
}
