package org.berth.binding.internal.launch;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.berth.binding.leases.Leases;

/**
 * A part of this machine that a process asks for when it starts, and gets by a lease: the words that the agent and
 * {@code berth-exec} share. Immutable.
 *
 * @param kind {@code numa} (node), {@code package}, {@code l3} (cache), {@code core:K} for K cores ({@code core} is one), or {@code
 *     cpus:0-3,8} for these CPUs
 * @param select {@code free} for the one that other processes use least, {@code exclusive} for one that no other process
 *     uses or gets, or its number from 0; empty for {@code free}
 * @param leases directory of the ledger; empty for that of the host, see {@link Leases#ofHost}
 * @param name what the process is called in the ledger; empty for no name
 * @since 0.1.0
 */
public record DomainRequest(String kind, Optional<String> select, Optional<String> leases, Optional<String> name) {
    private static final Pattern KIND = Pattern.compile("numa|package|l3|core(:[1-9]\\d{0,3})?|cpus:[\\d,-]+");
    private static final Pattern SELECT = Pattern.compile("free|exclusive|\\d{1,6}");

    /** @throws IllegalArgumentException one line that begins with the option's word, when a part is not as described */
    public DomainRequest {
        if (!KIND.matcher(kind).matches()) {
            throw new IllegalArgumentException(
                    "domain '" + kind + "' is not one of numa, package, l3, core:K (K cores, from 1), cpus:LIST");
        }
        if (select.isPresent() && !SELECT.matcher(select.get()).matches()) {
            throw new IllegalArgumentException(
                    "select '" + select.get() + "' is not one of free, exclusive, or a number from 0");
        }
        leases.ifPresent(directory -> AgentOptions.requireValue("leases", directory));
        name.ifPresent(text -> AgentOptions.requireValue("name", text));
    }

    /** The least used domain of a kind, in the ledger of the host, without a name. */
    public static DomainRequest of(String kind) {
        return new DomainRequest(kind, Optional.empty(), Optional.empty(), Optional.empty());
    }

    /** The same, chosen in another way. */
    public DomainRequest withSelect(String which) {
        return new DomainRequest(kind, Optional.of(which), leases, name);
    }

    /** The same in the ledger of a directory. */
    public DomainRequest withLeases(String directory) {
        return new DomainRequest(kind, select, Optional.of(directory), name);
    }

    /** The same under a name. */
    public DomainRequest withName(String text) {
        return new DomainRequest(kind, select, leases, Optional.of(text));
    }

    /** Its parts by their word, in the order in which they are written. */
    Map<String, String> options() {
        Map<String, String> options = new LinkedHashMap<>();
        options.put("domain", kind);
        select.ifPresent(which -> options.put("select", which));
        leases.ifPresent(directory -> options.put("leases", directory));
        name.ifPresent(text -> options.put("name", text));
        return options;
    }
}
