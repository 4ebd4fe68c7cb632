package org.berth.cli.run;

import java.util.List;
import java.util.Optional;
import org.berth.binding.internal.launch.DomainRequest;
import org.berth.cli.shared.CommandException;
import org.berth.placement.internal.NearestWord;
import picocli.CommandLine.Option;

/** The options of {@code run} that ask for a domain, which a lease chooses when the command starts. */
final class DomainOptions {
    private static final List<String> KINDS = List.of("numa", "package", "l3", "core", "cpus");

    @Option(
            names = "--domain",
            paramLabel = "DOMAIN",
            description = "Instead of --level: lease the part of the host that other leases use least: numa (a node),"
                    + " package, l3 (a cache), core:K (K cores), or cpus:LIST (these CPUs).")
    private Optional<String> domain = Optional.empty();

    @Option(
            names = "--select",
            paramLabel = "WHICH",
            description =
                    "Which domain of this kind: free (the least used; default), exclusive (an unused one, reserved for"
                            + " this command), or its number, counted from 0.")
    private Optional<String> select = Optional.empty();

    @Option(
            names = "--leases",
            paramLabel = "DIR",
            description =
                    "Directory of the leases; default: the variable BERTH_LEASES, otherwise /dev/shm/berth-leases.")
    private Optional<String> leases = Optional.empty();

    @Option(names = "--name", paramLabel = "TEXT", description = "Name of the command in 'berth leases'.")
    private Optional<String> name = Optional.empty();

    /** The domain, if one is asked for; a usage error for words that it does not know. */
    Optional<DomainRequest> request() {
        try {
            return domain.map(kind -> new DomainRequest(kind, select, leases, name));
        } catch (IllegalArgumentException e) {
            String kind = domain.orElse("").replaceFirst(":.*", "");
            throw CommandException.usage(
                    "--" + e.getMessage() + (KINDS.contains(kind) ? "" : NearestWord.hint(kind, KINDS)));
        }
    }
}
