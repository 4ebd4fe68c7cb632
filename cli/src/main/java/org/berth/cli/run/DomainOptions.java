package org.berth.cli.run;

import java.util.Optional;
import org.berth.binding.DomainRequest;
import org.berth.cli.shared.CommandException;
import picocli.CommandLine.Option;

/** A part of the machine that a lease finds when the command starts: the options of {@code run}. */
final class DomainOptions {
    @Option(
            names = "--domain",
            paramLabel = "DOMAIN",
            description = "Instead of --level: one numa (node), package, l3 (cache) or core:K (K cores) that the other"
                    + " processes started like this use least.")
    private Optional<String> domain = Optional.empty();

    @Option(
            names = "--select",
            paramLabel = "WHICH",
            description = "Of the domains: free (the least used, the default), exclusive (one that nobody uses, and"
                    + " nobody else gets), or its number from 0.")
    private Optional<String> select = Optional.empty();

    @Option(
            names = "--leases",
            paramLabel = "DIR",
            description = "The ledger (default: the variable BERTH_LEASES, else /dev/shm/berth-leases).")
    private Optional<String> leases = Optional.empty();

    @Option(names = "--name", paramLabel = "TEXT", description = "What 'berth leases' calls the command.")
    private Optional<String> name = Optional.empty();

    /** The domain, if one is asked for; a usage error for an option that needs one. */
    Optional<DomainRequest> request() {
        if (domain.isEmpty()) {
            Optional<String> alone = select.map(text -> "--select")
                    .or(() -> leases.map(text -> "--leases"))
                    .or(() -> name.map(text -> "--name"));
            if (alone.isPresent()) {
                throw CommandException.usage(alone.get() + " needs --domain: one of numa, package, l3, core:K");
            }
            return Optional.empty();
        }
        try {
            return Optional.of(new DomainRequest(domain.get(), select, leases, name));
        } catch (IllegalArgumentException e) {
            throw CommandException.usage("--" + e.getMessage());
        }
    }
}
