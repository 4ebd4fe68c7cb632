package org.berth.yarn;

import java.util.Optional;

/**
 * Which kind of domain a container gets: its share of the machine is its share of the NodeManager's vcores, so that
 * there may be more vcores than PUs, or fewer. A pure function.
 *
 * @param host how large the machine and its parts are
 * @param vcores what the NodeManager offers
 * @param domain the word of the setting
 */
record DomainChoice(Host host, int vcores, String domain) {
    static final String AUTO = "auto";
    static final String CORES = "cores";
    static final String NONE = "none";

    /**
     * The word for a lease.
     *
     * @param containerVcores of the container
     * @return empty: it stays free to use all of the machine
     */
    Optional<String> of(int containerVcores) {
        return switch (domain) {
            case NONE -> Optional.empty();
            case CORES -> Optional.of("core:" + share(containerVcores, host.cores()));
            case AUTO -> automatic(share(containerVcores, host.pus()));
            default -> Optional.of(domain);
        };
    }

    private Optional<String> automatic(int pus) {
        if (host.fitsCaches(pus)) {
            return Optional.of("l3");
        }
        if (host.nodes() > 1 && pus <= host.nodePus()) {
            return Optional.of("numa");
        }
        return host.packages() > 1 && pus <= host.packagePus() ? Optional.of("package") : Optional.empty();
    }

    /** At least one, at most all. */
    private int share(int containerVcores, int all) {
        long exact = ((long) Math.max(containerVcores, 1) * all + vcores - 1) / vcores;
        return (int) Math.min(exact, all);
    }

    /** A description for the log. */
    String describe() {
        boolean apart = host.nodes() > 1 || host.packages() > 1;
        boolean caches = host.caches() > Math.max(host.nodes(), host.packages());
        return switch (domain) {
            case NONE -> "containers are not bound";
            case CORES ->
                "each container gets a share of the " + host.cores() + " cores, in proportion to its vcores of "
                        + vcores;
            case AUTO ->
                apart || caches
                        ? "each container gets one of "
                                + (caches
                                        ? host.caches()
                                                + " L3 caches when they hold all containers of its size, one of "
                                        : "")
                                + host.nodes() + " NUMA nodes, or one of " + host.packages()
                                + " packages when it is larger, in proportion to its vcores of " + vcores
                        : "auto binds nothing here, because this machine is one package with one NUMA node and"
                                + " no several L3 caches; "
                                + YarnSettings.DOMAIN + "=cores gives each container cores of its own";
            default -> "each container gets one " + domain;
        };
    }
}
