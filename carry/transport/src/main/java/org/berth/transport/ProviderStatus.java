package org.berth.transport;

import java.util.List;
import org.berth.transport.internal.ucx.UcxLibrary;

/**
 * Whether a provider works on this host.
 *
 * @param name "ucx", "local" or "tcp"
 * @param works whether an engine of this process could use it
 * @param detail what it would use, or why it does not work, without a full stop
 * @since 0.1.0
 */
public record ProviderStatus(String name, boolean works, String detail) {
    /** All providers. Loads the host's UCX into this process if there is one. */
    public static List<ProviderStatus> ofHost() {
        return List.of(
                ucx(),
                new ProviderStatus("local", true, "Unix domain sockets, for peers on this host"),
                new ProviderStatus("tcp", true, "sockets of the JDK"));
    }

    private static ProviderStatus ucx() {
        try {
            UcxLibrary.Check check = UcxLibrary.check();
            return new ProviderStatus(
                    "ucx", check.works(), check.works() ? "UCX " + check.version() + " of this host" : check.reason());
        } catch (LinkageError e) {
            return new ProviderStatus("ucx", false, "libraries of this host cannot be loaded: " + e.getMessage());
        }
    }
}
