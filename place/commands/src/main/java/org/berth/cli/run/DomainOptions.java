package org.berth.cli.run;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.berth.binding.internal.launch.DomainRequest;
import org.berth.binding.leases.LeaseRecord;
import org.berth.binding.leases.Leases;
import org.berth.cli.shared.CommandException;
import org.berth.placement.internal.NearestWord;
import org.berth.topology.CpuSet;
import picocli.CommandLine.Option;

/** The options of {@code run} that ask for a domain, which a lease chooses when the command starts. */
final class DomainOptions {
    private static final List<String> KINDS = List.of("numa", "package", "l3", "core", "cpus");

    @Option(
            names = "--domain",
            paramLabel = "DOMAIN",
            description =
                    "Where the command may run: the part of the host that other leases use least, by a lease of its"
                            + " own: numa (a node), package, l3 (a cache), core:K (K cores), or cpus:LIST (these CPUs).")
    private Optional<String> domain = Optional.empty();

    @Option(
            names = "--select",
            paramLabel = "WHICH",
            description =
                    "Which domain of this kind: free (the least used; default), exclusive (an unused one, reserved for"
                            + " this command), or its number, counted from 0.")
    private Optional<String> select = Optional.empty();

    @Option(names = "--leases", paramLabel = "DIR", description = LeasesFolder.DESCRIPTION)
    private Optional<String> leases = Optional.empty();

    @Option(
            names = "--no-lease",
            description = "Take the first such part of the host, which other commands may use as well.")
    private boolean noLease;

    @Option(names = "--name", paramLabel = "TEXT", description = "Name of the command in 'berth leases'.")
    private Optional<String> name = Optional.empty();

    /** Whether a part of the host is taken without a lease. */
    boolean withoutLease() {
        return noLease;
    }

    /** The level and the number of its parts that give such a part of the host without a lease. */
    Optional<FirstPart> firstPart() {
        return noLease ? domain.map(FirstPart::parse) : Optional.empty();
    }

    /** The CPUs of all leases, and those in use where there may be leases that cannot be seen. */
    CpuSet leasedCpus() {
        Leases ledger = leases.map(Path::of).map(Leases::at).orElseGet(Leases::ofHost);
        CpuSet held = ledger.listing().leases().stream().map(LeaseRecord::cpus).reduce(CpuSet.empty(), CpuSet::union);
        return ledger.unseen().isPresent() ? held.union(BusyCpus.now()) : held;
    }

    /** A part of this kind by a lease, in the ledger and under the name that are given. */
    DomainRequest leased(String kind) {
        if (leases.isEmpty()) {
            LeasesFolder.requireAbsolute();
        }
        return new DomainRequest(kind, Optional.empty(), leases, name);
    }

    private void requireFolder() {
        if (domain.isPresent() && !noLease && leases.isEmpty()) {
            LeasesFolder.requireAbsolute();
        }
    }

    /** The domain, if one is asked for; a usage error for words that it does not know. */
    Optional<DomainRequest> request() {
        requireFolder();
        LeasesFolder.requireShort(name);
        try {
            return noLease ? Optional.empty() : domain.map(kind -> new DomainRequest(kind, select, leases, name));
        } catch (IllegalArgumentException e) {
            String kind = domain.orElse("").replaceFirst(":.*", "");
            throw CommandException.usage(
                    "--" + e.getMessage() + (KINDS.contains(kind) ? "" : NearestWord.hint(kind, KINDS)));
        }
    }
}
