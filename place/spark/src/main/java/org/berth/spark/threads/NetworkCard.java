package org.berth.spark.threads;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The network card that leads to other hosts. */
final class NetworkCard {
    private static final String ANYWHERE = "00000000";

    private NetworkCard() {}

    /** The card of the default route in this network namespace (/proc/net/route, see proc_net(5)), if there is one. */
    static Optional<String> ofDefaultRoute() {
        try {
            return ofDefaultRoute(Files.readAllLines(Path.of("/proc/net/route")));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** Reads lines such as "eth0 00000000 010200C0 0003 0 0 100 00000000"; the route with the lowest metric wins. */
    static Optional<String> ofDefaultRoute(List<String> lines) {
        String found = "";
        long lowest = Long.MAX_VALUE;
        for (String line : lines) {
            String[] columns = line.strip().split("\\s+", -1);
            if (columns.length >= 8 && columns[1].equals(ANYWHERE) && columns[7].equals(ANYWHERE)) {
                long metric = columns[6].chars().allMatch(Character::isDigit) ? Long.parseLong(columns[6]) : 0;
                if (metric < lowest) {
                    lowest = metric;
                    found = columns[0];
                }
            }
        }
        return found.isEmpty() ? Optional.empty() : Optional.of(found);
    }
}
