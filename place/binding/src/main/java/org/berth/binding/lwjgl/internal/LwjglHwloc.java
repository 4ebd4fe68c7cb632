package org.berth.binding.lwjgl.internal;

import static org.lwjgl.util.hwloc.HWLoc.*;

import java.nio.ByteBuffer;
import java.nio.IntBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lwjgl.PointerBuffer;
import org.lwjgl.system.APIUtil;
import org.lwjgl.system.Configuration;
import org.lwjgl.system.JNI;
import org.lwjgl.system.Library;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.system.MemoryUtil;

/** The only class that uses LWJGL's binding of hwloc. {@link HiddenClasses} makes it. */
public final class LwjglHwloc implements Hwloc {
    private static final int FIRST_JAVA_WITH_FOREIGN_BACKEND = 25;

    /** Loads no native file. */
    public LwjglHwloc() {
        if (Runtime.version().feature() >= FIRST_JAVA_WITH_FOREIGN_BACKEND
                && Configuration.MEMORY_BACKEND.get() == null) {
            // The default would make these JVMs print a warning on sun.misc.Unsafe.
            Configuration.MEMORY_BACKEND.set("ffm");
        }
    }

    @Override
    public boolean isConfigured() {
        if (HiddenClasses.areHidden()) {
            return false;
        }
        return Configuration.LIBRARY_PATH.get() != null
                || Configuration.LIBRARY_NAME.get() != null
                || Configuration.HWLOC_LIBRARY_NAME.get() != null
                || Configuration.SHARED_LIBRARY_EXTRACT_PATH.get() != null;
    }

    @Override
    public void configure(Path library) {
        Configuration.HWLOC_LIBRARY_NAME.set(library.toString());
    }

    @Override
    public void loadCore(Path core) {
        Configuration.LIBRARY_NAME.set(core.toString());
        Library.initialize();
    }

    @Override
    public int apiVersion() {
        return hwloc_get_api_version();
    }

    @Override
    public long init() {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            PointerBuffer handle = stack.mallocPointer(1);
            return hwloc_topology_init(handle) < 0 ? 0 : handle.get(0);
        }
    }

    @Override
    public void setFlags(long topology, long flags) {
        hwloc_topology_set_flags(topology, flags | HWLOC_TOPOLOGY_FLAG_DONT_CHANGE_BINDING);
    }

    @Override
    public int typeCount() {
        return HWLOC_OBJ_TYPE_MAX;
    }

    @Override
    public String typeName(int type) {
        return String.valueOf(hwloc_obj_type_string(type));
    }

    @Override
    public void setTypeFilter(long topology, int type, int filter) {
        hwloc_topology_set_type_filter(topology, type, filter);
    }

    @Override
    public int withoutComponent(long topology, String component) {
        return hwloc_topology_set_components(topology, HWLOC_TOPOLOGY_COMPONENTS_FLAG_BLACKLIST, component);
    }

    @Override
    public int setPid(long topology, int pid) {
        return hwloc_topology_set_pid_pid(topology, pid);
    }

    @Override
    public int setSynthetic(long topology, String description) {
        // Not on LWJGL's stack of 64 KiB, which a list of indexes can overflow. hwloc copies it.
        ByteBuffer text = MemoryUtil.memUTF8(description);
        try {
            return hwloc_topology_set_synthetic(topology, text);
        } finally {
            MemoryUtil.memFree(text);
        }
    }

    @Override
    public int load(long topology) {
        return hwloc_topology_load(topology);
    }

    /**
     * Other threads may read the environment at any time, so it is not rearranged, as unsetenv(3) does: the first letter of each
     * name is another one meanwhile.
     */
    @Override
    public int loadWithout(long topology, List<String> variables) {
        List<Long> renamed = new ArrayList<>();
        // The C library that is loaded already; its getenv(3) gives the address of a value, or 0.
        long getenv = APIUtil.apiCreateLibrary("libc.so.6").getFunctionAddress("getenv");
        try (MemoryStack stack = MemoryStack.stackPush()) {
            for (String variable : variables) {
                ByteBuffer name = stack.ASCII(variable);
                long address = MemoryUtil.memAddress(name);
                for (long value = JNI.invokePP(address, getenv); value != 0; value = JNI.invokePP(address, getenv)) {
                    long letter = value - name.remaining();
                    MemoryUtil.memPutByte(letter, (byte) '_');
                    renamed.add(letter);
                }
            }
            return hwloc_topology_load(topology);
        } finally {
            renamed.forEach(letter -> MemoryUtil.memPutByte(letter, (byte) 'H'));
        }
    }

    @Override
    public boolean isThisSystem(long topology) {
        return hwloc_topology_is_thissystem(topology);
    }

    @Override
    public @Nullable String exportXml(long topology) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            PointerBuffer text = stack.mallocPointer(1);
            IntBuffer lengthBytes = stack.mallocInt(1);
            if (hwloc_topology_export_xmlbuffer(topology, text, lengthBytes, 0) < 0) {
                return null;
            }
            try {
                // The length counts the final zero byte.
                return MemoryUtil.memUTF8(text.get(0), lengthBytes.get(0) - 1);
            } finally {
                nhwloc_free_xmlbuffer(topology, text.get(0));
            }
        }
    }

    @Override
    public void destroy(long topology) {
        hwloc_topology_destroy(topology);
    }
}
