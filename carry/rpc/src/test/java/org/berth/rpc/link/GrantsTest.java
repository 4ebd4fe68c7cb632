package org.berth.rpc.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import org.berth.transport.failure.TransportException;
import org.junit.jupiter.api.Test;

/** Tokens: once, soon, and from the same host. */
class GrantsTest {
    private final InetAddress one = InetAddress.getLoopbackAddress();

    @Test
    void tokensServeTheHostThatGotThem() throws Exception {
        Grants grants = new Grants();
        InetAddress other = InetAddress.getByName("192.0.2.1");
        Token token = grants.issue(null, "a.Protocol", one);
        assertThatThrownBy(() -> grants.use(token, other))
                .isInstanceOf(TransportException.class)
                .hasMessageContaining("192.0.2.1");
        Token again = grants.issue(null, "a.Protocol", one);
        assertThat(grants.use(again, one).protocol()).isEqualTo("a.Protocol");
        assertThatThrownBy(() -> grants.use(again, one)).isInstanceOf(TransportException.class);
    }

    @Test
    void tokensAgeAndTellNothing() throws Exception {
        Grants grants = new Grants(-1);
        Token token = grants.issue(null, null, one);
        assertThatThrownBy(() -> grants.use(token, one)).hasMessageContaining("too old");
        assertThat(token).hasToString("Token");
        assertThat(Offer.read(new Offer(token, 1, 2, "").toBytes())).isEqualTo(new Offer(token, 1, 2, ""));
        assertThat(Offer.read(Offer.refusal("no").toBytes())).isEqualTo(Offer.refusal("no"));
    }
}
