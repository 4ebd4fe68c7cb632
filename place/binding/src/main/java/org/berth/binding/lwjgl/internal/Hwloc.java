package org.berth.binding.lwjgl.internal;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The functions of hwloc that {@link org.berth.binding.discovery.Discovery} needs. LWJGL's binding implements them in {@link LwjglHwloc},
 * which may be a class of a loader of its own: see {@link HiddenClasses}.
 */
public interface Hwloc {
    /** Whether the user has told LWJGL which native files to use; false where it is hidden, as the options are another LWJGL's. */
    boolean isConfigured();

    /** Names the file of hwloc, before any of its functions is called. */
    void configure(Path library);

    /** Loads LWJGL's own native file, which no other class loader may have loaded. */
    void loadCore(Path core);

    /** {@code hwloc_get_api_version}. */
    int apiVersion();

    /** {@code hwloc_topology_init}: a topology, or 0. */
    long init();

    /** {@code hwloc_topology_set_flags}, and one that leaves the calling thread where it is. */
    void setFlags(long topology, long flags);

    /** The number of types of objects. */
    int typeCount();

    /** {@code hwloc_obj_type_string}. */
    String typeName(int type);

    /** {@code hwloc_topology_set_type_filter}, with a number of hwloc_type_filter_e. */
    void setTypeFilter(long topology, int type, int filter);

    /** {@code hwloc_topology_set_components} with the flag that leaves one out. */
    int withoutComponent(long topology, String component);

    /** {@code hwloc_topology_set_pid}. */
    int setPid(long topology, int pid);

    /** {@code hwloc_topology_set_synthetic}. */
    int setSynthetic(long topology, String description);

    /** {@code hwloc_topology_load}. */
    int load(long topology);

    /** {@code hwloc_topology_load} while these environment variables have another name; one call at a time. */
    int loadWithout(long topology, List<String> variables);

    /** {@code hwloc_topology_is_thissystem}. */
    boolean isThisSystem(long topology);

    /** {@code hwloc_topology_export_xmlbuffer}, or null when hwloc refuses. */
    @Nullable
    String exportXml(long topology);

    /** {@code hwloc_topology_destroy}. */
    void destroy(long topology);
}
