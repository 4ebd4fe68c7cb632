package org.berth.binding;

import static org.lwjgl.util.hwloc.HWLoc.*;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.IntBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.berth.topology.CpuSet;
import org.berth.topology.ObjectType;
import org.berth.topology.Topology;
import org.berth.topology.TopologyException;
import org.berth.topology.TopologyXml;
import org.lwjgl.PointerBuffer;
import org.lwjgl.system.Configuration;
import org.lwjgl.system.Library;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.system.MemoryUtil;

/**
 * Asks hwloc what the machine is. This is the only class that uses LWJGL's binding of hwloc; everybody else works on
 * the immutable {@link Topology}.
 *
 * <p>hwloc does not rebind the calling thread (HWLOC_TOPOLOGY_FLAG_DONT_CHANGE_BINDING), and it listens to its own
 * environment variables: HWLOC_FSROOT with HWLOC_COMPONENTS=linux,stop shows a recorded machine. Thread-safe. A call
 * takes about 10 ms, the first one about 50 ms more.
 *
 * @since 0.1.0
 */
public final class Discovery {

    /** The machine as hwloc XML, and whether it is the one that this JVM runs on. */
    record Snapshot(String xml, boolean thisMachine) {}

    private static final String LIBRARY = "the hwloc library of LWJGL";
    private static final int FIRST_JAVA_WITH_FOREIGN_BACKEND = 25;

    private static boolean prepared;

    private interface Source {
        /** hwloc's result: 0 or more, or less than 0 for an error. */
        int set(long topology);
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
     * This machine with what one asks for, as {@link #live()} otherwise ({@code hwloc_topology_load}).
     *
     * @throws BindingException when hwloc cannot be loaded, does not know a component, or finds nothing
     */
    public static Topology live(DiscoveryOptions options) {
        return TopologyXml.parse(liveSnapshot(options).xml());
    }

    static Snapshot liveSnapshot(DiscoveryOptions options) {
        return load("this machine", "set HWLOC_COMPONENTS_VERBOSE=1 to see what hwloc does", options, topology -> 0);
    }

    /**
     * The version of the hwloc that is used, 0x30000 for 3.0.0 ({@code hwloc_get_api_version}).
     *
     * @throws BindingException when hwloc cannot be loaded
     */
    public static int hwlocApiVersion() {
        try {
            prepare();
            return hwloc_get_api_version();
        } catch (IOException | LinkageError e) {
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
                topology -> setSynthetic(topology, description));
        try {
            return TopologyXml.parse(snapshot.xml());
        } catch (TopologyException e) {
            String reason = String.valueOf(e.getMessage()).replaceAll("^line \\d+: |, in line \\d+", "");
            throw BindingException.of("read", target, "no machine can be so: " + reason, SyntheticDescription.HINT, e);
        }
    }

    private static int setSynthetic(long topology, String description) {
        // Not on LWJGL's stack of 64 KiB, which a list of indexes can overflow. hwloc copies it.
        ByteBuffer text = MemoryUtil.memUTF8(description);
        try {
            return hwloc_topology_set_synthetic(topology, text);
        } finally {
            MemoryUtil.memFree(text);
        }
    }

    private static Snapshot load(String target, String hint, DiscoveryOptions options, Source source) {
        try {
            prepare();
            return loadPrepared(target, hint, options, source);
        } catch (IOException | LinkageError e) {
            throw unavailable(e);
        }
    }

    private static Snapshot loadPrepared(String target, String hint, DiscoveryOptions options, Source source) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            PointerBuffer handle = stack.mallocPointer(1);
            if (hwloc_topology_init(handle) < 0) {
                throw BindingException.of("read", target, "", "hwloc could not be initialised", "");
            }
            long topology = handle.get(0);
            try {
                configure(topology, target, options);
                if (source.set(topology) < 0 || hwloc_topology_load(topology) < 0) {
                    throw BindingException.of("read", target, "", "hwloc does not understand it", hint);
                }
                return new Snapshot(export(stack, topology), hwloc_topology_is_thissystem(topology));
            } finally {
                hwloc_topology_destroy(topology);
            }
        }
    }

    private static void configure(long topology, String target, DiscoveryOptions options) {
        long flags = HWLOC_TOPOLOGY_FLAG_DONT_CHANGE_BINDING;
        for (DiscoveryFlag flag : options.flags()) {
            flags |= flag.bits();
        }
        hwloc_topology_set_flags(topology, flags);
        for (int i = HWLOC_OBJ_TYPE_MIN; i < HWLOC_OBJ_TYPE_MAX; i++) {
            Optional<ObjectType> type = ObjectType.named(String.valueOf(hwloc_obj_type_string(i)));
            if (type.isPresent()) {
                hwloc_topology_set_type_filter(topology, i, number(options.filter(type.get())));
            }
        }
        for (String component : options.withoutComponents()) {
            if (hwloc_topology_set_components(topology, HWLOC_TOPOLOGY_COMPONENTS_FLAG_BLACKLIST, component) < 0) {
                throw BindingException.of(
                        "read",
                        target,
                        "",
                        "hwloc has no component \"" + component + "\"",
                        "x86, pci and linuxio are some");
            }
        }
        if (options.pid().isPresent()) {
            int pid = options.pid().getAsInt();
            // hwloc would take the machine as this process sees it, and say nothing.
            if (ProcessHandle.of(pid).isEmpty() || hwloc_topology_set_pid_pid(topology, pid) < 0) {
                throw ProcessBinding.noSuchProcess(pid, CpuSet.empty());
            }
        }
    }

    private static int number(TypeFilter filter) {
        return switch (filter) {
            case KEEP_ALL -> HWLOC_TYPE_FILTER_KEEP_ALL;
            case KEEP_NONE -> HWLOC_TYPE_FILTER_KEEP_NONE;
            case KEEP_STRUCTURE -> HWLOC_TYPE_FILTER_KEEP_STRUCTURE;
            case KEEP_IMPORTANT -> HWLOC_TYPE_FILTER_KEEP_IMPORTANT;
        };
    }

    private static String export(MemoryStack stack, long topology) {
        PointerBuffer text = stack.mallocPointer(1);
        IntBuffer lengthBytes = stack.mallocInt(1);
        if (hwloc_topology_export_xmlbuffer(topology, text, lengthBytes, 0) < 0) {
            throw BindingException.of("write", "the machine as hwloc XML", "", "hwloc refused", "");
        }
        try {
            // The length counts the final zero byte.
            return MemoryUtil.memUTF8(text.get(0), lengthBytes.get(0) - 1);
        } finally {
            nhwloc_free_xmlbuffer(topology, text.get(0));
        }
    }

    /**
     * Tells LWJGL, once, which native files to use: ours, in a private directory. Its own unpacking takes 50 ms longer,
     * and uses a directory under /tmp that other users can foresee.
     */
    private static synchronized void prepare() throws IOException {
        if (prepared) {
            return;
        }
        if (Runtime.version().feature() >= FIRST_JAVA_WITH_FOREIGN_BACKEND
                && Configuration.MEMORY_BACKEND.get() == null) {
            // The default would make these JVMs print a warning on sun.misc.Unsafe.
            Configuration.MEMORY_BACKEND.set("ffm");
        }
        if (!configuredByUser()) {
            prepareCore();
            Configuration.HWLOC_LIBRARY_NAME.set(NativeLibrary.beside("libhwloc.so")
                    .orElseGet(() -> NativeFiles.place(content("libhwloc", "hwloc/libhwloc.so"), placed -> {}))
                    .toString());
        }
        prepared = true;
    }

    private static void prepareCore() throws IOException {
        Path file = NativeLibrary.beside("liblwjgl.so")
                .orElseGet(() -> NativeFiles.place(content("liblwjgl", "liblwjgl.so"), placed -> {}));
        if (MappedLibraries.contains(file)) {
            // A JVM loads a file into one class loader only, and another one may have this.
            NativeFiles.useOnce(new NativeFiles.Content("liblwjgl", ".so", Files.readAllBytes(file)), copy -> {
                Configuration.LIBRARY_NAME.set(copy.toString());
                Library.initialize();
            });
        } else {
            Configuration.LIBRARY_NAME.set(file.toString());
        }
    }

    private static boolean configuredByUser() {
        return Configuration.LIBRARY_PATH.get() != null
                || Configuration.LIBRARY_NAME.get() != null
                || Configuration.HWLOC_LIBRARY_NAME.get() != null
                || Configuration.SHARED_LIBRARY_EXTRACT_PATH.get() != null;
    }

    private static NativeFiles.Content content(String stem, String path) {
        if (MappedLibraries.haveMusl()) {
            throw BindingException.of("load", LIBRARY, "", NativeLibrary.MUSL_REASON, NativeLibrary.MUSL_HINT);
        }
        String resource = Architecture.current()
                .orElseThrow(() ->
                        unavailable(new UnsatisfiedLinkError("there is none for " + Architecture.describeCurrent())))
                .lwjglResource(path);
        try {
            ClassLoader loader = Configuration.class.getClassLoader();
            return new NativeFiles.Content(stem, ".so", NativeFiles.readResource(loader, resource));
        } catch (IOException e) {
            throw unavailable(e);
        }
    }

    private static BindingException unavailable(Throwable cause) {
        return BindingException.of(
                "load",
                LIBRARY,
                String.valueOf(cause.getMessage()),
                "add the natives of lwjgl and lwjgl-hwloc for " + Architecture.describeCurrent() + " to the class path"
                        + Architecture.current()
                                .map(here -> "; they need glibc " + here.lwjglGlibc() + " or later")
                                .orElse(""),
                cause);
    }
}
