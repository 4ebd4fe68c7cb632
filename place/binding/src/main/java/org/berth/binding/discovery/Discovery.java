package org.berth.binding.discovery;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.berth.binding.LocalMachine;
import org.berth.binding.errors.BindingException;
import org.berth.binding.internal.Architecture;
import org.berth.binding.internal.NativeBridge;
import org.berth.binding.internal.ids.ProcessIdentity;
import org.berth.binding.internal.library.NativeLibrary;
import org.berth.text.Words;
import org.berth.topology.CpuSet;
import org.berth.topology.FailureKind;
import org.berth.topology.Topology;
import org.berth.topology.TopologyException;
import org.berth.topology.type.ObjectType;
import org.berth.topology.xml.TopologyXml;
import org.jspecify.annotations.Nullable;

/**
 * Asks hwloc for machines: a synthetic one here, this one by {@link LocalMachine#open()}. All other classes work on the immutable {@link
 * Topology}.
 *
 * <p>hwloc does not rebind the calling thread (HWLOC_TOPOLOGY_FLAG_DONT_CHANGE_BINDING). Those of its environment variables that
 * may show another machine, such as HWLOC_XMLFILE of a batch launcher, are ignored ({@link #ignoredVariables}), unless
 * {@link DiscoveryFlag#OBEY_ENVIRONMENT} asks for it. Thread-safe.
 *
 * @since 0.1.0
 */
public final class Discovery {

    /** The machine as hwloc XML, and whether it is the one that this JVM runs on. */
    public record Snapshot(String xml, boolean thisMachine) {}

    /** One object in the whole JVM, which all class loaders see: only one of them hides variables at a time. */
    private static final Object LOAD_LOCK = "org.berth: hwloc reads the environment".intern();

    private static final String COMPONENT = "[\\w:.-]{1,64}";
    private static final int REASON_BYTES = 512;

    private static final List<String> VARIABLES = List.of(
            "HWLOC_FSROOT",
            "HWLOC_XMLFILE",
            "HWLOC_SYNTHETIC",
            "HWLOC_CPUID_PATH",
            "HWLOC_COMPONENTS",
            "HWLOC_THISSYSTEM",
            "HWLOC_THISSYSTEM_ALLOWED_RESOURCES",
            "HWLOC_DUMPED_HWDATA_DIR");

    private Discovery() {}

    /** The variables of an environment that are ignored because hwloc may show another machine by them. */
    public static List<String> ignoredVariables(Map<String, String> environment) {
        List<String> found = new ArrayList<>(VARIABLES);
        found.retainAll(environment.keySet());
        return List.copyOf(found);
    }

    /** Returns the XML of a discovery and whether it shows this machine. It is not part of the API. */
    public static Snapshot liveSnapshot(DiscoveryOptions options) {
        return load("this machine", "set HWLOC_COMPONENTS_VERBOSE=1 to see what hwloc does", options, null);
    }

    /**
     * The version of the hwloc that is used, 0x30000 for 3.0.0 ({@code hwloc_get_api_version}).
     *
     * @throws BindingException when hwloc cannot be loaded
     */
    public static int hwlocApiVersion() {
        NativeLibrary.load();
        String library = NativeLibrary.hwloc();
        byte[] reason = new byte[REASON_BYTES];
        int version = NativeBridge.hwlocVersion(bytes(library), reason);
        if (version < 0) {
            throw unavailable(library, new String(reason, StandardCharsets.UTF_8).split("\0", 2)[0]);
        }
        return version;
    }

    /**
     * A machine from a description such as "pack:2 l3:1 core:8 pu:2" ({@code hwloc_topology_set_synthetic}). It has at most
     * 8,192 objects in a level, 1,024 of them in one of the level above, and indexes below 8,192.
     *
     * @throws BindingException when the description cannot be understood, or is of no machine that can be
     */
    public static Topology synthetic(String description) {
        SyntheticDescription.check(description);
        String target = SyntheticDescription.target(description);
        Snapshot snapshot = load(target, SyntheticDescription.HINT, DiscoveryOptions.defaults(), description);
        try {
            return TopologyXml.parse(snapshot.xml());
        } catch (TopologyException e) {
            String reason = String.valueOf(e.getMessage()).replaceAll("^line \\d+: |, in line \\d+", "");
            throw BindingException.of(
                    FailureKind.INVALID,
                    "read",
                    target,
                    "such a machine cannot exist: " + reason,
                    SyntheticDescription.HINT,
                    e);
        }
    }

    private static Snapshot load(String target, String hint, DiscoveryOptions options, @Nullable String description) {
        NativeLibrary.load();
        String library = NativeLibrary.hwloc();
        long flags = 0;
        for (DiscoveryFlag flag : options.flags()) {
            flags |= flag.bits();
        }
        requireNames(options.withoutComponents(), target);
        int pid = options.pid().orElse(0);
        // hwloc would take the machine as this process sees it, and say nothing.
        if (options.pid().isPresent() && ProcessHandle.of(pid).isEmpty()) {
            throw ProcessIdentity.noSuchProcess(pid, CpuSet.empty());
        }
        // The JVM copies its environment at the first question, for all children.
        List<String> ignored = options.flags().contains(DiscoveryFlag.OBEY_ENVIRONMENT)
                ? List.of()
                : ignoredVariables(System.getenv());
        byte[] @Nullable [] texts = {
            bytes(library),
            bytes(filters(options)),
            bytes(String.join("\n", options.withoutComponents())),
            bytes(String.join("\n", ignored)),
            description == null ? null : bytes(description)
        };
        byte[] answer =
                ignored.isEmpty() ? NativeBridge.describeMachine(texts, flags, pid) : describeAlone(texts, flags, pid);
        String text = new String(answer, 1, answer.length - 1, StandardCharsets.UTF_8);
        return switch (answer[0]) {
            case 'm' -> new Snapshot(text, true);
            case 'o' -> new Snapshot(text, false);
            case 'l' -> throw unavailable(library, text);
            case 'c' -> throw noComponent(text, target);
            case 'p' -> throw ProcessIdentity.noSuchProcess(pid, CpuSet.empty());
            case 'u' ->
                throw BindingException.of(
                        description == null ? FailureKind.UNAVAILABLE : FailureKind.INVALID,
                        "read",
                        target,
                        "",
                        "hwloc does not understand it",
                        hint);
            case 'x' ->
                throw BindingException.of(
                        FailureKind.FAILED, "write", "the machine as hwloc XML", "", "hwloc refused", "");
            default ->
                throw BindingException.of(
                        FailureKind.FAILED, "read", target, "", "out of memory outside the Java heap", "");
        };
    }

    private static byte[] describeAlone(byte[] @Nullable [] texts, long flags, int pid) {
        synchronized (LOAD_LOCK) {
            return NativeBridge.describeMachine(texts, flags, pid);
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String filters(DiscoveryOptions options) {
        StringBuilder lines = new StringBuilder();
        for (ObjectType type : ObjectType.values()) {
            lines.append(type.hwlocName())
                    .append(' ')
                    .append(number(options.filter(type)))
                    .append('\n');
        }
        return lines.toString();
    }

    /** The number of hwloc_type_filter_e. */
    static int number(TypeFilter filter) {
        return switch (filter) {
            case KEEP_ALL -> 0;
            case KEEP_NONE -> 1;
            case KEEP_STRUCTURE -> 2;
            case KEEP_IMPORTANT -> 3;
        };
    }

    private static void requireNames(List<String> components, String target) {
        for (String component : components) {
            if (!component.matches(COMPONENT)) {
                throw noComponent(component, target);
            }
        }
    }

    private static BindingException noComponent(String name, String target) {
        return BindingException.of(
                FailureKind.INVALID,
                "read",
                target,
                "",
                "hwloc has no component \"" + Words.quote(name) + "\"",
                "examples are x86, pci and linuxio");
    }

    private static BindingException unavailable(String library, String reason) {
        String glibc = Architecture.current().map(Architecture::hwlocGlibc).orElse("");
        return BindingException.of(
                FailureKind.UNAVAILABLE,
                "load",
                "hwloc's library " + library,
                "",
                reason,
                "Berth's own copy needs glibc " + glibc
                        + " or later; the system's hwloc of 2.8 or later serves as well (on Debian: apt-get install libhwloc15)");
    }
}
