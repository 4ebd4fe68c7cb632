package org.berth.cli;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;
import org.berth.topology.Topology;
import org.berth.topology.TopologyException;
import org.berth.topology.TopologyXml;

/** The machine that a command speaks of: this one, a recorded one, or an invented one. */
record TargetMachine(Topology topology, Origin origin, String source) {
    enum Origin {
        LIVE,
        FILE,
        SYNTHETIC
    }

    private static final String EXAMPLE = "\"pack:2 l3:1 core:8 pu:2\"";

    /** This machine, and what this process may use of it. */
    static TargetMachine live() {
        throw CommandException.failure("the discovery of this machine is not there yet");
    }

    /** An existing file is hwloc XML ({@code -} is standard input), anything else a synthetic description. */
    static TargetMachine load(Optional<String> source) {
        if (source.isEmpty()) {
            return live();
        }
        String text = source.get();
        if (text.equals("-")) {
            return new TargetMachine(parse("standard input", System.in), Origin.FILE, text);
        }
        Optional<Path> file = existing(text);
        if (file.isPresent()) {
            return new TargetMachine(parseFile(file.get()), Origin.FILE, text);
        }
        if (!looksSynthetic(text)) {
            throw CommandException.failure("cannot read the topology '" + text + "': no such file, and not a"
                    + " description such as " + EXAMPLE + "; give an XML file of 'lstopo --of xml' or 'berth topo"
                    + " --xml'");
        }
        throw CommandException.failure("synthetic machines are not there yet");
    }

    private static Optional<Path> existing(String text) {
        try {
            return Optional.of(Path.of(text)).filter(Files::exists);
        } catch (InvalidPathException notAPath) {
            return Optional.empty();
        }
    }

    private static boolean looksSynthetic(String text) {
        return text.indexOf(':') > 0 && text.indexOf('/') < 0;
    }

    private static Topology parseFile(Path file) {
        if (Files.isDirectory(file)) {
            throw CommandException.failure(
                    "cannot read the topology '" + file + "': it is a directory; give an XML file in it");
        }
        try (InputStream in = new BufferedInputStream(Files.newInputStream(file))) {
            return parse("'" + file + "'", in);
        } catch (AccessDeniedException e) {
            throw CommandException.failure(
                    "cannot read the topology '" + file + "': permission denied; make the file readable for this user",
                    e);
        } catch (IOException e) {
            throw CommandException.failure("cannot read the topology '" + file + "': " + e.getMessage(), e);
        }
    }

    private static Topology parse(String what, InputStream xml) {
        try {
            return TopologyXml.parse(xml);
        } catch (TopologyException e) {
            throw CommandException.failure(
                    "cannot read the topology " + what + ": " + e.getMessage()
                            + "; write such a file with 'lstopo --of xml' or 'berth topo --xml'",
                    e);
        }
    }
}
