package org.berth.transport;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.berth.transport.failure.TransportException;
import org.berth.transport.link.EngineParts;
import org.berth.transport.link.FrameKind;
import org.berth.transport.link.Handshake;
import org.berth.transport.link.Link;
import org.berth.transport.link.LinkReceiver;
import org.berth.transport.link.MessageBuffer;
import org.berth.transport.link.Provider;
import org.jspecify.annotations.Nullable;

/** All that a listening side needs for the handshakes of its peers. Thread-safe. */
final class ServerSide {
    private final EngineParts parts;
    private final Acceptor acceptor;
    private final UUID host;
    /** Other providers' endpoints, by the provider's name, the preferred one first. */
    private final Map<String, Provider.Endpoint> offers;

    private final Map<UUID, Session> movable = new ConcurrentHashMap<>();
    private final Map<Link, Session> sessions = new ConcurrentHashMap<>();

    ServerSide(EngineParts parts, Acceptor acceptor, UUID host, Map<String, Provider.Endpoint> offers) {
        this.parts = parts;
        this.acceptor = acceptor;
        this.host = host;
        this.offers = offers;
    }

    /** The receiver of a new link over TCP. */
    LinkReceiver greeted(Link link) {
        return new Greeted();
    }

    /** The receiver of a new link over another provider. */
    LinkReceiver attached(Link link) {
        return new Attached();
    }

    int connections() {
        return sessions.size();
    }

    void closeAll() {
        sessions.keySet().forEach(link -> link.close(null));
    }

    private static void answer(EngineParts parts, Link link, FrameKind kind, Consumer<ByteBuffer> content)
            throws TransportException {
        MessageBuffer message = parts.sendBuffers().lease(Handshake.LONGEST_INTRODUCTION, 0);
        content.accept(message.bytes());
        link.send(kind, message, null);
    }

    private abstract class Side implements LinkReceiver {
        private @Nullable Session session;

        @Override
        public final void received(Link link, FrameKind kind, MessageBuffer message) {
            Session begun = session;
            if (begun != null) {
                begun.received(link, kind, message);
                return;
            }
            try {
                Session fresh = begin(link, kind, message.bytes());
                session = fresh;
                sessions.put(link, fresh);
                link.trust(fresh.connection().owner());
            } catch (TransportException e) {
                refuse(link, e);
            } catch (RuntimeException | Error e) {
                refuse(link, new TransportException(TransportException.Kind.REFUSED, "the server failed: " + e, e));
            } finally {
                message.release();
            }
        }

        abstract Session begin(Link link, FrameKind kind, ByteBuffer content) throws TransportException;

        private void refuse(Link link, TransportException why) {
            parts.strangers().refusals().add("refused " + link.peer() + ": " + why.getMessage());
            try {
                answer(parts, link, FrameKind.REFUSED, new Handshake.Refusal(String.valueOf(why.getMessage()))::write);
                link.closeWhenSent();
            } catch (TransportException gone) {
                link.close(why);
            }
        }

        @Override
        public void closed(Link link, @Nullable TransportException cause) {
            Session begun = session;
            if (begun != null) {
                sessions.remove(link);
                begun.closed(link, cause);
            }
        }
    }

    /** A link over TCP: HELLO, then messages, unless the connection moves. */
    private final class Greeted extends Side {
        private @Nullable UUID token;

        @Override
        Session begin(Link link, FrameKind kind, ByteBuffer content) throws TransportException {
            if (kind != FrameKind.HELLO) {
                throw new TransportException(TransportException.Kind.CORRUPT, "the first frame was " + kind);
            }
            Handshake.Hello hello = Handshake.Hello.read(content);
            Connection connection = new Connection(parts, link);
            Receiver receiver = acceptor.accept(connection, hello.introduction().asReadOnlyBuffer());
            Session fresh = new Session(connection, receiver);
            UUID fit = UUID.randomUUID();
            token = fit;
            movable.put(fit, fresh);
            List<String> names = new ArrayList<>();
            List<String> addresses = new ArrayList<>();
            offers.forEach((name, endpoint) -> {
                if (hello.providers().contains(name)
                        && (!name.equals("local") || hello.host().equals(host))) {
                    names.add(name);
                    addresses.add(endpoint.address());
                }
            });
            answer(parts, link, FrameKind.WELCOME, new Handshake.Welcome(fit, names, addresses)::write);
            return fresh;
        }

        @Override
        public void closed(Link link, @Nullable TransportException cause) {
            UUID fit = token;
            if (fit != null) {
                movable.remove(fit);
            }
            super.closed(link, cause);
        }
    }

    /** A link over another provider: ATTACH, then messages. */
    private final class Attached extends Side {
        @Override
        Session begin(Link link, FrameKind kind, ByteBuffer content) throws TransportException {
            if (kind != FrameKind.ATTACH) {
                throw new TransportException(TransportException.Kind.CORRUPT, "the first frame was " + kind);
            }
            Session moved = movable.remove(Handshake.Attach.read(content).token());
            if (moved == null) {
                throw new TransportException(TransportException.Kind.REFUSED, "there is no connection of this token");
            }
            moved.connection().moveTo(link, link.needsControl());
            answer(parts, link, FrameKind.ATTACHED, empty -> empty.flip());
            return moved;
        }
    }
}
