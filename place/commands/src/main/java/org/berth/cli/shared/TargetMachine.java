package org.berth.cli.shared;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;
import org.berth.binding.LocalMachine;
import org.berth.binding.discovery.Discovery;
import org.berth.binding.discovery.DiscoveryFlag;
import org.berth.binding.discovery.DiscoveryOptions;
import org.berth.binding.errors.BindingException;
import org.berth.topology.Topology;
import org.berth.topology.TopologyException;
import org.berth.topology.xml.TopologyXml;
import org.jspecify.annotations.Nullable;

/**
 * The machine that a command examines: this one, a recorded one, or a synthetic one.
 *
 * @param source the file or description as the user wrote it; "live" for this machine
 */
public record TargetMachine(Topology topology, Origin origin, String source) {
    public enum Origin {
        LIVE,
        FILE,
        SYNTHETIC
    }

    private static final String EXAMPLE = "\"pack:2 l3:1 core:8 pu:2\"";
    private static final String HOW_TO_WRITE =
            "write such a file with 'lstopo --of xml FILE' or 'berth topo --xml FILE'";

    /** Real files have some hundred kilobytes; /dev/zero by mistake has no end. */
    private static final int LARGEST_FILE_BYTES = 256 << 20;

    /** This machine, with the parts that this process may use. */
    public static TargetMachine live() {
        return live(DiscoveryOptions.defaults());
    }

    /** This machine, including parts that the control group hides, as not allowed. */
    public static TargetMachine wholeLive() {
        return live(DiscoveryOptions.defaults().withFlags(DiscoveryFlag.INCLUDE_DISALLOWED));
    }

    private static TargetMachine live(DiscoveryOptions options) {
        Topology topology = LocalMachine.open(options).topology();
        return new TargetMachine(topology, Origin.LIVE, "live");
    }

    /** An existing file is hwloc XML ({@code -} is standard input), anything else a synthetic description. */
    public static TargetMachine load(Optional<String> source) {
        return source.isEmpty() ? live() : load(source.get());
    }

    private static TargetMachine load(String source) {
        if (source.isBlank()) {
            throw CommandException.usage(
                    "the machine has an empty name; give an XML file, or a description such as " + EXAMPLE);
        }
        Optional<Path> file = source.equals("-") ? Optional.of(Path.of("/dev/stdin")) : existing(source);
        if (file.isPresent()) {
            String xml = read(file.get(), source);
            return new TargetMachine(parse(source, xml), Origin.FILE, source);
        }
        // "pack:2" and "2 4 2" are descriptions; a path that does not exist is far more often a typing error.
        boolean description = source.indexOf('/') < 0 && (source.indexOf(':') > 0 || source.indexOf(' ') > 0);
        if (!description) {
            throw CommandException.failure(
                    cannotRead(source) + "no such file; give an XML file, or a description such as " + EXAMPLE);
        }
        try {
            return new TargetMachine(Discovery.synthetic(source), Origin.SYNTHETIC, source);
        } catch (BindingException e) {
            if (e.operation().equals("read")) {
                throw CommandException.usage(String.valueOf(e.getMessage()));
            }
            throw e;
        }
    }

    /** The machine in the format that {@code lstopo} 2.x reads. */
    public String xml() {
        return TopologyXml.write(topology);
    }

    private static Optional<Path> existing(String text) {
        try {
            // An inaccessible file counts as existing: reading it reports the reason.
            return Optional.of(Path.of(text)).filter(path -> !Files.notExists(path));
        } catch (InvalidPathException notAPath) {
            return Optional.empty();
        }
    }

    private static String read(Path file, String source) {
        if (Files.isDirectory(file)) {
            throw CommandException.failure(cannotRead(source) + "it is a directory; give an XML file");
        }
        try (InputStream in = Files.newInputStream(file)) {
            byte[] bytes = in.readNBytes(LARGEST_FILE_BYTES);
            if (bytes.length == LARGEST_FILE_BYTES) {
                throw CommandException.failure(cannotRead(source) + "larger than any machine; " + HOW_TO_WRITE);
            }
            return new String(bytes, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw CommandException.failure(cannotRead(source) + IoErrors.reason(e), e);
        }
    }

    private static Topology parse(String source, String xml) {
        if (xml.isBlank()) {
            throw CommandException.failure(cannotRead(source) + "it is empty; " + HOW_TO_WRITE);
        }
        try {
            return TopologyXml.parse(xml);
        } catch (TopologyException e) {
            throw CommandException.failure(cannotRead(source) + withoutStop(e.getMessage()) + "; " + HOW_TO_WRITE, e);
        }
    }

    private static String cannotRead(String source) {
        return "cannot read the topology '" + (source.equals("-") ? "standard input" : source) + "': ";
    }

    private static String withoutStop(@Nullable String sentence) {
        String text = String.valueOf(sentence);
        return text.endsWith(".") ? text.substring(0, text.length() - 1) : text;
    }
}
