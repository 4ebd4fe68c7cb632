package org.berth.binding.discovery;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.berth.binding.LocalMachine;
import org.berth.binding.errors.BindingException;
import org.berth.binding.errors.NativeAccess;
import org.berth.binding.errors.Reason;
import org.berth.binding.internal.Architecture;
import org.berth.binding.internal.MappedLibraries;
import org.berth.binding.internal.ids.ProcessIdentity;
import org.berth.binding.library.NativeFiles;
import org.berth.binding.library.NativeLibrary;
import org.berth.binding.lwjgl.internal.HiddenClasses;
import org.berth.binding.lwjgl.internal.Hwloc;
import org.berth.topology.CpuSet;
import org.berth.topology.Topology;
import org.berth.topology.TopologyException;
import org.berth.topology.type.ObjectType;
import org.berth.topology.xml.TopologyXml;
import org.jspecify.annotations.Nullable;

/**
 * Asks hwloc what the machine is. All other classes work on the immutable {@link Topology}.
 *
 * <p>hwloc does not rebind the calling thread (HWLOC_TOPOLOGY_FLAG_DONT_CHANGE_BINDING). Those of its environment variables that
 * may show another machine, such as HWLOC_XMLFILE of a batch launcher, are ignored ({@link #ignoredVariables}), unless
 * {@link DiscoveryFlag#OBEY_ENVIRONMENT} asks for it. Thread-safe.
 * A call takes about 20 ms, the first one in a JVM 0.3 s on JDK 17 and 0.5 s on JDK 25, most of it for LWJGL's classes.
 *
 * @since 0.1.0
 */
public final class Discovery {

    /** The machine as hwloc XML, and whether it is the one that this JVM runs on. */
    public record Snapshot(String xml, boolean thisMachine) {}

    private static final String LIBRARY = "the hwloc library of LWJGL";
    private static final String BINDING = "org.berth.binding.lwjgl.internal.LwjglHwloc";

    /** One object in the whole JVM, which all class loaders see. */
    private static final Object LOAD_LOCK = "org.berth: a class loader loads liblwjgl.so".intern();

    private static @Nullable Hwloc hwloc;

    private static final List<String> VARIABLES = List.of(
            "HWLOC_FSROOT",
            "HWLOC_XMLFILE",
            "HWLOC_SYNTHETIC",
            "HWLOC_CPUID_PATH",
            "HWLOC_COMPONENTS",
            "HWLOC_THISSYSTEM",
            "HWLOC_THISSYSTEM_ALLOWED_RESOURCES",
            "HWLOC_DUMPED_HWDATA_DIR");

    private interface Source {
        /** hwloc's result: 0 or more, or less than 0 for an error. */
        int set(Hwloc hwloc, long topology);
    }

    private Discovery() {}

    /**
     * This machine, with what the cgroup allows (not narrowed by the affinity mask: see {@link LocalMachine}).
     *
     * @throws BindingException when hwloc cannot be loaded or finds nothing
     */
    public static Topology live() {
        return live(DiscoveryOptions.defaults());
    }

    /**
     * This machine with the given options, as {@link #live()} otherwise ({@code hwloc_topology_load}).
     *
     * @throws BindingException when hwloc cannot be loaded, does not know a component, or finds nothing
     */
    public static Topology live(DiscoveryOptions options) {
        return TopologyXml.parse(liveSnapshot(options).xml());
    }

    /** The variables of an environment that are ignored because hwloc may show another machine by them. */
    public static List<String> ignoredVariables(Map<String, String> environment) {
        return VARIABLES.stream().filter(environment::containsKey).toList();
    }

    /** Returns the XML of a discovery and whether it shows this machine. It is not part of the API. */
    public static Snapshot liveSnapshot(DiscoveryOptions options) {
        return load(
                "this machine",
                "set HWLOC_COMPONENTS_VERBOSE=1 to see what hwloc does",
                options,
                (hwloc, topology) -> 0);
    }

    /**
     * The version of the hwloc that is used, 0x30000 for 3.0.0 ({@code hwloc_get_api_version}).
     *
     * @throws BindingException when hwloc cannot be loaded
     */
    public static int hwlocApiVersion() {
        try {
            return prepare().apiVersion();
        } catch (IOException | LinkageError | IllegalCallerException e) {
            throw unavailable(e);
        }
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
        Snapshot snapshot = load(
                target,
                SyntheticDescription.HINT,
                DiscoveryOptions.defaults(),
                (hwloc, topology) -> hwloc.setSynthetic(topology, description));
        try {
            return TopologyXml.parse(snapshot.xml());
        } catch (TopologyException e) {
            String reason = String.valueOf(e.getMessage()).replaceAll("^line \\d+: |, in line \\d+", "");
            throw BindingException.of(
                    "read", target, "such a machine cannot exist: " + reason, SyntheticDescription.HINT, e);
        }
    }

    private static Snapshot load(String target, String hint, DiscoveryOptions options, Source source) {
        try {
            return load(prepare(), target, hint, options, source);
        } catch (IOException | LinkageError | IllegalCallerException e) {
            throw unavailable(e);
        }
    }

    private static Snapshot load(Hwloc hwloc, String target, String hint, DiscoveryOptions options, Source source) {
        long topology = hwloc.init();
        if (topology == 0) {
            throw BindingException.of("read", target, "", "hwloc could not be initialised", "");
        }
        try {
            configure(hwloc, topology, target, options);
            if (source.set(hwloc, topology) < 0 || load(hwloc, topology, options) < 0) {
                throw BindingException.of("read", target, "", "hwloc does not understand it", hint);
            }
            String xml = hwloc.exportXml(topology);
            if (xml == null) {
                throw BindingException.of("write", "the machine as hwloc XML", "", "hwloc refused", "");
            }
            return new Snapshot(xml, hwloc.isThisSystem(topology));
        } finally {
            hwloc.destroy(topology);
        }
    }

    private static int load(Hwloc hwloc, long topology, DiscoveryOptions options) {
        // The JVM copies its environment at the first question, for all children.
        List<String> ignored = ignoredVariables(System.getenv());
        if (options.flags().contains(DiscoveryFlag.OBEY_ENVIRONMENT) || ignored.isEmpty()) {
            return hwloc.load(topology);
        }
        synchronized (LOAD_LOCK) {
            return hwloc.loadWithout(topology, ignored);
        }
    }

    private static void configure(Hwloc hwloc, long topology, String target, DiscoveryOptions options) {
        long flags = 0;
        for (DiscoveryFlag flag : options.flags()) {
            flags |= flag.bits();
        }
        hwloc.setFlags(topology, flags);
        for (int i = 0; i < hwloc.typeCount(); i++) {
            Optional<ObjectType> type = ObjectType.named(hwloc.typeName(i));
            if (type.isPresent()) {
                hwloc.setTypeFilter(topology, i, number(options.filter(type.get())));
            }
        }
        for (String component : options.withoutComponents()) {
            if (hwloc.withoutComponent(topology, component) < 0) {
                throw BindingException.of(
                        "read",
                        target,
                        "",
                        "hwloc has no component \"" + component + "\"",
                        "examples are x86, pci and linuxio");
            }
        }
        if (options.pid().isPresent()) {
            int pid = options.pid().getAsInt();
            // hwloc would take the machine as this process sees it, and say nothing.
            if (ProcessHandle.of(pid).isEmpty() || hwloc.setPid(topology, pid) < 0) {
                throw ProcessIdentity.noSuchProcess(pid, CpuSet.empty());
            }
        }
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

    /**
     * Tells LWJGL, once, which native files to use: ours, in a private directory. Its own unpacking takes 50 ms longer,
     * and uses a directory under /tmp that other users can foresee.
     */
    private static synchronized Hwloc prepare() throws IOException {
        Hwloc present = hwloc;
        if (present == null) {
            present = HiddenClasses.create(Hwloc.class, BINDING);
            if (!present.isConfigured()) {
                loadCore(present);
                present.configure(NativeLibrary.beside("libhwloc.so")
                        .orElseGet(() -> NativeFiles.place(content("libhwloc", "hwloc/libhwloc.so"), placed -> {})));
            }
            hwloc = present;
        }
        return present;
    }

    private static void loadCore(Hwloc present) throws IOException {
        Path file = NativeLibrary.beside("liblwjgl.so")
                .orElseGet(() -> NativeFiles.place(content("liblwjgl", "liblwjgl.so"), placed -> {}));
        // Two class loaders at the same time would both find it unused.
        synchronized (LOAD_LOCK) {
            if (MappedLibraries.contains(file)) {
                // A JVM loads a file into one class loader only, and another one may have this.
                NativeFiles.useOnce(
                        new NativeFiles.Content("liblwjgl", ".so", Files.readAllBytes(file)), present::loadCore);
            } else {
                present.loadCore(file);
            }
        }
    }

    private static NativeFiles.Content content(String stem, String path) {
        if (MappedLibraries.haveMusl()) {
            throw BindingException.of("load", LIBRARY, "", NativeLibrary.MUSL_REASON, NativeLibrary.MUSL_HINT);
        }
        String resource = Architecture.current()
                .orElseThrow(() ->
                        unavailable(new FileNotFoundException("there is none for " + Architecture.describeCurrent())))
                .lwjglResource(path);
        try {
            return new NativeFiles.Content(stem, ".so", HiddenClasses.read(resource));
        } catch (IOException e) {
            throw unavailable(e);
        }
    }

    private static BindingException unavailable(Throwable cause) {
        if (NativeAccess.isRefused(cause)) {
            return NativeAccess.refused(LIBRARY, cause);
        }
        Optional<Architecture> here = Architecture.current();
        if (here.isEmpty()) {
            return BindingException.of("load", LIBRARY, Reason.of(cause), Architecture.SUPPORTED, cause);
        }
        if (NativeAccess.lacksLwjgl(cause)) {
            return BindingException.of(
                    "load", LIBRARY, "LWJGL itself is missing", NativeAccess.add("lwjgl and lwjgl-hwloc"), cause);
        }
        return BindingException.of(
                "load",
                LIBRARY,
                cause instanceof LinkageError && cause.getMessage() != null ? cause.getMessage() : Reason.of(cause),
                NativeAccess.add("the natives of lwjgl and lwjgl-hwloc for " + Architecture.describeCurrent())
                        + "; they need glibc " + here.get().lwjglGlibc() + " or later",
                cause);
    }
}
