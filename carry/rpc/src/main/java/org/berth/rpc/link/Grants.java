package org.berth.rpc.link;

import java.net.InetAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.security.UserGroupInformation;
import org.berth.transport.failure.TransportException;
import org.jspecify.annotations.Nullable;

/**
 * The clients that a server has authenticated over its own connections, and may then connect over the transport, each
 * once, and soon. Thread-safe.
 */
public final class Grants {
    private static final long VALID_NANOS = TimeUnit.SECONDS.toNanos(10);
    /** Against a client that asks without end. */
    private static final int MOST = 65_536;

    private final Map<Token, Grant> open = new ConcurrentHashMap<>();
    private final long validNanos;

    /** None. */
    public Grants() {
        this(VALID_NANOS);
    }

    Grants(long validNanos) {
        this.validNanos = validNanos;
    }

    /**
     * What a token stands for.
     *
     * @param user whose calls they are; null where Hadoop knows none
     * @param protocol that the connection is for, as Hadoop names it
     * @param address from which the client connects
     * @param issuedNanos when, as {@link System#nanoTime}
     */
    public record Grant(
            @Nullable UserGroupInformation user, @Nullable String protocol, InetAddress address, long issuedNanos) {}

    /**
     * A new token.
     *
     * @throws TransportException EXHAUSTED when too many wait for their use
     */
    public Token issue(@Nullable UserGroupInformation user, @Nullable String protocol, InetAddress address)
            throws TransportException {
        long now = System.nanoTime();
        open.values().removeIf(grant -> now - grant.issuedNanos() > validNanos);
        if (open.size() >= MOST) {
            throw new TransportException(
                    TransportException.Kind.EXHAUSTED, MOST + " clients are already waiting for their connections");
        }
        Token token = Token.random();
        open.put(token, new Grant(user, protocol, address, now));
        return token;
    }

    /**
     * Takes a token back, for its one use.
     *
     * @throws TransportException REFUSED when it was not issued, was used, is too old, or another host uses it
     */
    public Grant use(Token token, InetAddress by) throws TransportException {
        Grant grant = open.remove(token);
        if (grant == null || System.nanoTime() - grant.issuedNanos() > validNanos) {
            throw new TransportException(
                    TransportException.Kind.REFUSED, "the token is unknown, used or too old; another one is needed");
        }
        if (!grant.address().equals(by)) {
            throw new TransportException(
                    TransportException.Kind.REFUSED,
                    "the token was given to " + grant.address().getHostAddress() + ", and " + by.getHostAddress()
                            + " uses it");
        }
        return grant;
    }
}
