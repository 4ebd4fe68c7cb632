package org.berth.transport.settings;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.berth.transport.host.HostFacts;
import org.berth.transport.internal.stream.LocalSockets;
import org.jspecify.annotations.Nullable;

/**
 * The values of all parameters on a host, and where each comes from: an option, else the environment, else the table of this
 * class. Pure functions.
 *
 * @since 0.1.0
 */
public final class Tuning {
    private static final long LARGEST_MESSAGE_BYTES = 64 << 20;

    private Tuning() {}

    /**
     * A value in force.
     *
     * @param value as a user writes it
     * @param origin "option", the environment variable's name, or why the table has this value
     */
    public record Tuned(Parameter parameter, String value, String origin) {}

    /**
     * All parameters in their order.
     *
     * @param options the user's, by {@link Parameter#key}; null where there is none
     * @param environment of the process
     */
    public static List<Tuned> resolve(
            HostFacts host, Function<String, @Nullable String> options, Map<String, String> environment) {
        List<Tuned> all = new ArrayList<>();
        for (Parameter parameter : Parameter.values()) {
            all.add(one(parameter, host, options, environment));
        }
        return List.copyOf(all);
    }

    private static Tuned one(
            Parameter parameter,
            HostFacts host,
            Function<String, @Nullable String> options,
            Map<String, String> environment) {
        String option = options.apply(parameter.key());
        String variable = environment.get(parameter.variable());
        if (option != null) {
            return new Tuned(parameter, option.strip(), "option");
        }
        if (variable != null) {
            return new Tuned(parameter, variable.strip(), parameter.variable());
        }
        if (parameter != Parameter.MAX_MESSAGE) {
            return byTable(parameter, host);
        }
        long least = LARGEST_MESSAGE_BYTES;
        for (Parameter pool : List.of(Parameter.RECEIVE_POOL, Parameter.SEND_POOL)) {
            String value = one(pool, host, options, environment).value();
            least = Math.min(least, Quantities.bytes(pool, value) / 4);
        }
        String value = least % (1 << 20) == 0 ? (least >> 20) + "m" : Long.toString(least);
        return tuned(parameter, value, "a quarter of each pool, 64m at most");
    }

    private static Tuned byTable(Parameter parameter, HostFacts host) {
        boolean rdma = host.device() == HostFacts.DeviceKind.RDMA;
        boolean soft = host.device() == HostFacts.DeviceKind.SOFT_RDMA;
        return switch (parameter) {
            case PROVIDERS ->
                rdma
                        ? tuned(parameter, "ucx,local,tcp", "an adapter with RDMA")
                        : tuned(parameter, "local,tcp", "no adapter with RDMA in hardware");
            case THREADS -> {
                int threads = Math.max(1, Math.min(4, host.cpus() / 8));
                yield tuned(parameter, "" + threads, "one for 8 CPUs, 4 at most; " + cpus(host));
            }
            case WAIT -> wait(parameter, host);
            case POLICY -> tuned(parameter, "none", "threads run unbound unless a policy is set");
            case DEVICE -> tuned(parameter, "auto", "the first of: up, fast, near, default route");
            case HARDWARE_THREADS -> tuned(parameter, "0", "the policy's default");
            case MAX_MESSAGE -> throw new IllegalArgumentException("it is derived from the pools");
            case CHUNK -> chunk(parameter, host);
            case RECEIVE_POOL, SEND_POOL -> tuned(parameter, "256m", "four messages of the maximum size");
            case HANDLERS ->
                tuned(parameter, "" + Math.max(2, Math.min(16, host.cpus() / 2)), "half of the CPUs; " + cpus(host));
            case STALL_TIMEOUT, PING_INTERVAL -> tuned(parameter, "60s", "as ipc.ping.interval");
            case LOCAL_DIRECTORY -> localDirectory(parameter);
            case UCX_WAIT_LIMIT ->
                soft
                        ? tuned(parameter, "2ms", "RDMA in software (rxe) loses events")
                        : tuned(parameter, "1s", "a guard only");
            case UCX -> ucx(parameter, rdma);
        };
    }

    private static Tuned wait(Parameter parameter, HostFacts host) {
        return host.cpus() < 4
                ? tuned(parameter, "event", "fewer than 4 CPUs: a thread that spins takes one from work")
                : tuned(parameter, "hybrid", "enough CPUs for short spins; " + cpus(host));
    }

    /** YARN gives each container its own java.io.tmpdir, with a path that is too long for a socket. */
    private static Tuned localDirectory(Parameter parameter) {
        String name = "/berth-transport-" + System.getProperty("user.name");
        String temporary = System.getProperty("java.io.tmpdir") + name;
        return temporary.length() <= LocalSockets.LONGEST_DIRECTORY
                ? tuned(parameter, temporary, "a directory of this user")
                : tuned(parameter, "/tmp" + name, "a directory of this user; java.io.tmpdir is too long for a socket");
    }

    private static Tuned chunk(Parameter parameter, HostFacts host) {
        return switch (host.architecture()) {
            case "ppc64le" -> tuned(parameter, "4m", "ppc64le: pages of 64 kB");
            case "aarch64" -> tuned(parameter, "1m", "aarch64: the size of a core's L2 cache");
            default -> tuned(parameter, "2m", host.architecture() + ": one huge page");
        };
    }

    /**
     * Not UCX's own TCP: the JDK's is as fast (1 MB in 0.23 ms, UCX's by default in 1.24), and UCX 1.13 ends the process by an
     * assertion (tcp_ep.c) when such an endpoint is closed in the middle of a large message.
     */
    private static Tuned ucx(Parameter parameter, boolean rdma) {
        String transports = "TLS=^tcp,cma";
        return rdma
                ? tuned(
                        parameter,
                        transports,
                        "RDMA and shared memory; TCP is the JDK's, and cma copies 16 kB to 1 MB three times as slowly")
                : tuned(
                        parameter,
                        transports + " RNDV_THRESH=256k",
                        "shared memory: cma copies three times as slowly, and UCX's handshake for large messages costs"
                                + " wake-ups");
    }

    private static String cpus(HostFacts host) {
        return host.cpus() + " CPUs";
    }

    private static Tuned tuned(Parameter parameter, String value, String origin) {
        return new Tuned(parameter, value, origin);
    }
}
