package org.berth.shuffle.shared;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.apache.spark.SparkConf;
import org.apache.spark.network.util.JavaUtils;
import org.berth.transport.settings.Parameter;
import org.berth.transport.settings.TransportSettings;
import org.jspecify.annotations.Nullable;
import scala.Tuple2;

/**
 * What the keys {@code spark.berth.shuffle.*} say. Those of the transport have the names of its parameters, in Spark's way of
 * writing: {@code receive-pool} is {@code spark.berth.shuffle.receivePool}.
 *
 * @param transport settings of the executor's engine
 * @param port where the executor listens; 0 for any
 * @param windowBytes what may wait in an executor for one peer to take it
 * @param connectTimeout how long a connection may take
 * @param timeout after which a peer that owes an answer and sends nothing is given up
 */
public record ShuffleSettings(
        TransportSettings transport, int port, long windowBytes, Duration connectTimeout, Duration timeout) {
    static final String PREFIX = "spark.berth.shuffle.";
    private static final List<String> OWN = List.of("port", "window", "connectTimeout", "timeout");
    private static final Pattern WORD_BEGINS = Pattern.compile("-([a-z])");
    private static final String LARGEST_CHUNK = "4m";
    /** The transport puts its headers before a message; the buffer of a whole chunk stays a power of two. */
    private static final int HEADER_BYTES = 64;

    /**
     * Reads and checks the keys.
     *
     * @throws IllegalArgumentException one line that names the key
     */
    public static ShuffleSettings read(SparkConf conf) {
        TransportSettings transport = transport(conf);
        return new ShuffleSettings(
                transport,
                conf.getInt(PREFIX + "port", 0),
                Math.max(transport.chunkBytes(), conf.getSizeAsBytes(PREFIX + "window", "4m")),
                seconds(conf, PREFIX + "connectTimeout", "10s"),
                seconds(conf, PREFIX + "timeout", conf.get("spark.network.timeout", "120s")));
    }

    private static TransportSettings transport(SparkConf conf) {
        try {
            TransportSettings transport = TransportSettings.resolve("berth-shuffle", key -> option(conf, key));
            // These are read when they are needed, and by then some executors would run with them and others not.
            transport.chunkBytes();
            transport.handlers();
            transport.waitMode();
            transport.policy();
            return transport;
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(PREFIX + "*: " + e.getMessage(), e);
        }
    }

    /** An executor has many blocks of some megabytes under way, where Hadoop has single messages of up to 64 MB. */
    private static @Nullable String option(SparkConf conf, String parameter) {
        String key = key(parameter);
        if (conf.contains(key)) {
            return conf.get(key);
        }
        String byUser = Parameter.of(parameter)
                .map(one -> System.getenv(one.variable()))
                .orElse(null);
        if (byUser != null) {
            return null;
        }
        return switch (parameter) {
            case "max-message" -> Long.toString(chunkBytes(conf));
            case "receive-pool" -> "128m";
            case "send-pool" -> "64m";
            default -> null;
        };
    }

    /** The chunk that the user chose, else the largest of the transport's table. */
    private static long chunkBytes(SparkConf conf) {
        try {
            return conf.getSizeAsBytes(PREFIX + "chunk", LARGEST_CHUNK);
        } catch (NumberFormatException e) {
            // The transport refuses it in its own words.
            return JavaUtils.byteStringAsBytes(LARGEST_CHUNK);
        }
    }

    /** Returns the keys that have no effect, in their order. */
    public static NavigableSet<String> unknown(SparkConf conf) {
        NavigableSet<String> unknown = new TreeSet<>();
        for (Tuple2<String, String> pair : conf.getAllWithPrefix(PREFIX)) {
            unknown.add(PREFIX + pair._1());
        }
        Arrays.stream(Parameter.values())
                .map(Parameter::key)
                .map(ShuffleSettings::key)
                .forEach(unknown::remove);
        OWN.forEach(name -> unknown.remove(PREFIX + name));
        return unknown;
    }

    /** The setting of Spark for a parameter of the transport. */
    static String key(String parameter) {
        return PREFIX
                + WORD_BEGINS
                        .matcher(parameter)
                        .replaceAll(match -> match.group(1).toUpperCase(Locale.ROOT));
    }

    private static Duration seconds(SparkConf conf, String key, String otherwise) {
        return Duration.ofSeconds(Math.max(1, conf.getTimeAsSeconds(key, otherwise)));
    }

    /** The largest message that blocks are sent in. */
    public int messageBytes() {
        return transport.chunkBytes() - HEADER_BYTES;
    }

    /** What a message takes of its pool, whose buffers are powers of two. */
    public static long pooledBytes(int messageBytes) {
        return Long.highestOneBit(2L * (messageBytes + HEADER_BYTES) - 1);
    }

    public long receivePoolBytes() {
        return JavaUtils.byteStringAsBytes(transport.value(Parameter.RECEIVE_POOL));
    }

    /** The choices that a user may want to see, for a log line. */
    public String describe() {
        return String.join(", ", transport.providers()) + "; wait "
                + transport.waitMode().word() + ", threads " + transport.threads() + ", policy "
                + transport.value(Parameter.POLICY);
    }
}
