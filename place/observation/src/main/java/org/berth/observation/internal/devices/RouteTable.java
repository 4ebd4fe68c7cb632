package org.berth.observation.internal.devices;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.berth.observation.Reading;
import org.berth.observation.SystemFiles;

/**
 * The kernel's main routing tables as /proc shows them. The address that matches most bits wins, then the lowest metric.
 *
 * @see <a href="https://docs.kernel.org/networking/proc_net_tcp.html">proc/net</a>
 */
record RouteTable(SystemFiles files) {
    private static final String ANYWHERE = "00000000";
    private static final long UP = 0x1;
    private static final long REJECT = 0x200;
    private static final long LOCAL = 0x80000000L;
    private static final HexFormat HEX = HexFormat.of();

    /** The interface that packets to the peer leave by; "lo" when it is this host. */
    Optional<String> interfaceTo(InetAddress peer) {
        if (peer.isLoopbackAddress()) {
            return Optional.of("lo");
        }
        return peer instanceof Inet4Address ? version4(peer) : version6(peer);
    }

    /** The interfaces of the default routes, the one with the lowest metric first. */
    Reading<List<String>> defaults() {
        return files.read("proc/net/route").map(text -> {
            SortedMap<Long, List<String>> byMetric = new TreeMap<>();
            for (String line : text.split("\n", -1)) {
                String[] words = line.strip().split("\\s+", -1);
                if (words.length >= 8 && words[1].equals(ANYWHERE) && words[7].equals(ANYWHERE)) {
                    byMetric.computeIfAbsent(Long.valueOf(words[6]), metric -> new ArrayList<>())
                            .add(words[0]);
                }
            }
            return byMetric.values().stream().flatMap(List::stream).toList();
        });
    }

    private Optional<String> version4(InetAddress peer) {
        if (isOwn(peer.getHostAddress())) {
            return Optional.of("lo");
        }
        int address = ByteBuffer.wrap(peer.getAddress()).getInt();
        Best best = new Best();
        for (String line : files.read("proc/net/route").orElse("").split("\n", -1)) {
            String[] words = line.strip().split("\\s+", -1);
            if (words.length < 8 || !words[1].matches("[0-9A-Fa-f]{8}")) {
                continue; // the headings
            }
            int mask = hostOrder(words[7]);
            long flags = Long.parseLong(words[3], 16);
            if ((address & mask) == hostOrder(words[1])) {
                best.offer(words[0], Integer.bitCount(mask), Long.parseLong(words[6]), flags);
            }
        }
        return best.name();
    }

    private Optional<String> version6(InetAddress peer) {
        byte[] address = peer.getAddress();
        Best best = new Best();
        for (String line : files.read("proc/net/ipv6_route").orElse("").split("\n", -1)) {
            String[] words = line.strip().split("\\s+", -1);
            if (words.length < 10) {
                continue;
            }
            int bits = Integer.parseInt(words[1], 16);
            if (startsAlike(address, HEX.parseHex(words[0]), bits)) {
                best.offer(words[9], bits, Long.parseLong(words[5], 16), Long.parseLong(words[8], 16));
            }
        }
        return best.name();
    }

    /** Whether an address is one of this host: those are in a table of their own, which only fib_trie shows. */
    private boolean isOwn(String address) {
        return Pattern.compile("\\|-- " + Pattern.quote(address) + "\\s+/32 host LOCAL")
                .matcher(files.read("proc/net/fib_trie").orElse(""))
                .find();
    }

    private static boolean startsAlike(byte[] one, byte[] other, int bits) {
        for (int i = 0; i < bits; i++) {
            if (((one[i / 8] ^ other[i / 8]) & (0x80 >> (i % 8))) != 0) {
                return false;
            }
        }
        return true;
    }

    /** The kernel prints the four bytes of an address as one number of its own byte order. */
    private static int hostOrder(String hex) {
        return ByteBuffer.allocate(4)
                .order(ByteOrder.nativeOrder())
                .putInt(Integer.parseUnsignedInt(hex, 16))
                .order(ByteOrder.BIG_ENDIAN)
                .getInt(0);
    }

    /** The route so far. */
    private static final class Best {
        private String name = "";
        private int bits = -1;
        private long metric;
        private boolean rejected;

        void offer(String candidate, int candidateBits, long candidateMetric, long flags) {
            boolean better = candidateBits > bits || (candidateBits == bits && candidateMetric < metric);
            if ((flags & UP) != 0 && better) {
                name = (flags & LOCAL) != 0 ? "lo" : candidate;
                bits = candidateBits;
                metric = candidateMetric;
                rejected = (flags & REJECT) != 0;
            }
        }

        Optional<String> name() {
            return name.isEmpty() || rejected ? Optional.empty() : Optional.of(name);
        }
    }
}
