package org.berth.transport.settings;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.berth.placement.DevicePolicy;
import org.berth.placement.PlacementException;
import org.berth.transport.host.AdapterChoice;
import org.berth.transport.host.HostFacts;
import org.berth.transport.link.MessageBuffers;
import org.berth.transport.progress.WaitMode;
import org.jspecify.annotations.Nullable;

/**
 * The settings of an engine.
 *
 * @param name of the engine, for threads and log lines
 * @param tuned all parameters with their values and where these come from
 * @since 0.1.0
 */
public record TransportSettings(String name, List<Tuning.Tuned> tuned) {
    private static final List<String> PROVIDERS = List.of("ucx", "local", "tcp");

    /**
     * Copies the list and checks the values.
     *
     * @throws IllegalArgumentException one line with the parameter, its value and what to write instead
     */
    public TransportSettings {
        tuned = List.copyOf(tuned);
        Map<Parameter, String> values = values(tuned);
        for (String provider : words(values.getOrDefault(Parameter.PROVIDERS, ""))) {
            if (!PROVIDERS.contains(provider)) {
                throw Quantities.wrong(Parameter.PROVIDERS, provider, "choose from ucx, local and tcp");
            }
        }
        if (Quantities.count(Parameter.THREADS, values.getOrDefault(Parameter.THREADS, "")) < 1) {
            throw Quantities.wrong(
                    Parameter.THREADS, values.getOrDefault(Parameter.THREADS, ""), "at least 1 is needed");
        }
        WaitMode.parse(values.getOrDefault(Parameter.WAIT, ""));
        policy(values.getOrDefault(Parameter.POLICY, ""));
        Quantities.count(Parameter.HARDWARE_THREADS, values.getOrDefault(Parameter.HARDWARE_THREADS, ""));
        Quantities.count(Parameter.HANDLERS, values.getOrDefault(Parameter.HANDLERS, ""));
        Quantities.bytes(Parameter.CHUNK, values.getOrDefault(Parameter.CHUNK, ""));
        for (Parameter time : List.of(Parameter.STALL_TIMEOUT, Parameter.PING_INTERVAL, Parameter.UCX_WAIT_LIMIT)) {
            Quantities.time(time, values.getOrDefault(time, ""));
        }
        Quantities.pairs(Parameter.UCX, values.getOrDefault(Parameter.UCX, ""));
        long message = Quantities.bytes(Parameter.MAX_MESSAGE, values.getOrDefault(Parameter.MAX_MESSAGE, ""));
        if (message < 64 || message > 1 << 29) {
            throw Quantities.wrong(
                    Parameter.MAX_MESSAGE,
                    values.getOrDefault(Parameter.MAX_MESSAGE, ""),
                    "a size between 64 bytes and 512m is possible");
        }
        long buffer = MessageBuffers.classBytes((int) message);
        requirePool(values, Parameter.SEND_POOL, message, buffer);
        // One peer's message must leave room for those of others.
        requirePool(values, Parameter.RECEIVE_POOL, message, 2 * buffer);
    }

    private static void requirePool(Map<Parameter, String> values, Parameter pool, long message, long leastBytes) {
        String text = values.getOrDefault(pool, "");
        if (Quantities.bytes(pool, text) < leastBytes) {
            throw Quantities.wrong(
                    pool, text, "a message of " + message + " bytes (max-message) needs at least " + leastBytes);
        }
    }

    /**
     * Settings by the user's options, the environment of this process and the table for this host with its network
     * adapter.
     *
     * @throws IllegalArgumentException one line with the parameter, its value and what to write instead
     */
    public static TransportSettings resolve(String name, Function<String, @Nullable String> options) {
        String option = options.apply(Parameter.DEVICE.key());
        String device = option != null
                ? option.strip()
                : System.getenv().getOrDefault(Parameter.DEVICE.variable(), AdapterChoice.AUTO);
        return resolve(name, HostFacts.of(Path.of("/"), device), options);
    }

    /** The same on a host that is known. */
    public static TransportSettings resolve(String name, HostFacts host, Function<String, @Nullable String> options) {
        return new TransportSettings(name, Tuning.resolve(host, options, System.getenv()));
    }

    /** Settings without options, for this host. */
    public static TransportSettings defaults(String name) {
        return resolve(name, key -> null);
    }

    private static Map<Parameter, String> values(List<Tuning.Tuned> tuned) {
        Map<Parameter, String> values = new LinkedHashMap<>();
        tuned.forEach(one -> values.put(one.parameter(), one.value()));
        return values;
    }

    private static List<String> words(String text) {
        return Arrays.stream(text.split("[\\s,]+", -1))
                .filter(word -> !word.isEmpty())
                .toList();
    }

    /** The value of a parameter as a user writes it. */
    public String value(Parameter parameter) {
        return Optional.ofNullable(values(tuned).get(parameter))
                .orElseThrow(() -> new IllegalArgumentException(parameter.key() + " has no value"));
    }

    /** Providers that may be used, the preferred one first; TCP is always there. */
    public List<String> providers() {
        return words(value(Parameter.PROVIDERS));
    }

    /** Progress threads for sockets, and as many again for UCX where it is used. */
    public int threads() {
        return Quantities.count(Parameter.THREADS, value(Parameter.THREADS));
    }

    /** What progress threads do while there is nothing to do. */
    public WaitMode waitMode() {
        return WaitMode.parse(value(Parameter.WAIT));
    }

    /** The policy that places progress threads; empty to leave that to the kernel. */
    public Optional<DevicePolicy> policy() {
        return policy(value(Parameter.POLICY));
    }

    private static Optional<DevicePolicy> policy(String text) {
        if (text.equals("none")) {
            return Optional.empty();
        }
        try {
            return Optional.of(DevicePolicy.parse(text));
        } catch (PlacementException e) {
            throw new IllegalArgumentException("policy '" + text + "': " + e.getMessage() + " or none", e);
        }
    }

    /** The largest message that is sent and accepted. */
    public int largestMessageBytes() {
        return (int) Quantities.bytes(Parameter.MAX_MESSAGE, value(Parameter.MAX_MESSAGE));
    }

    /** The size of the messages into which engines split larger data. */
    public int chunkBytes() {
        return (int) Math.min(largestMessageBytes(), Quantities.bytes(Parameter.CHUNK, value(Parameter.CHUNK)));
    }

    /** Threads of an engine that answer requests, where the engine has none of its own. */
    public int handlers() {
        return Quantities.count(Parameter.HANDLERS, value(Parameter.HANDLERS));
    }

    /** Returns a parameter that is a size. */
    public long bytes(Parameter parameter) {
        return Quantities.bytes(parameter, value(parameter));
    }

    /** Returns a parameter that is a time. */
    public Duration time(Parameter parameter) {
        return Quantities.time(parameter, value(parameter));
    }

    /** Returns the directory of Unix domain sockets. */
    public Path localDirectory() {
        return Path.of(value(Parameter.LOCAL_DIRECTORY));
    }

    /** Returns the parameters that are UCX's own. */
    public Map<String, String> ucx() {
        return Quantities.pairs(Parameter.UCX, value(Parameter.UCX));
    }
}
