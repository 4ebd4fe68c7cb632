package org.berth.transport.internal.ucx;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** What a list of transports in the form of UCX_TLS stands for. Pure functions. */
final class UcxTransports {
    /** Those of shared memory, and the names of groups that they are in, by the manual of UCX. */
    private static final Set<String> SHARED_MEMORY =
            Set.of("all", "sm", "shm", "mm", "posix", "sysv", "xpmem", "cma", "knem");
    /** Names of groups that all of shared memory is in. */
    private static final Set<String> WHOLE = Set.of("sm", "shm");

    private UcxTransports() {}

    /**
     * Whether UCX may go through shared memory.
     *
     * @param list such as "rc,sm", "^tcp" or "all"
     */
    static boolean includeSharedMemory(String list) {
        boolean excludes = list.startsWith("^");
        List<String> names = words(excludes ? list.substring(1) : list).toList();
        return excludes
                ? names.stream().noneMatch(WHOLE::contains)
                : names.stream().anyMatch(SHARED_MEMORY::contains);
    }

    /** A backslash before a name takes it without what belongs to it. */
    private static Stream<String> words(String list) {
        return Arrays.stream(list.split("[,\\s]+", -1))
                .map(word -> word.startsWith("\\") ? word.substring(1) : word)
                .map(word -> word.replaceFirst(":.*", ""));
    }
}
