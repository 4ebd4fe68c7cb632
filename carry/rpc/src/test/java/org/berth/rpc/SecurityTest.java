package org.berth.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.ipc.BerthQuestion;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.ipc.TestRpcBase.TestRpcService;
import org.apache.hadoop.ipc.TestRpcBase.TestTokenIdentifier;
import org.apache.hadoop.ipc.TestRpcBase.TestTokenSecretManager;
import org.apache.hadoop.security.SecurityUtil;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authorize.AuthorizationException;
import org.apache.hadoop.security.authorize.PolicyProvider;
import org.apache.hadoop.security.authorize.Service;
import org.apache.hadoop.security.token.Token;
import org.berth.rpc.link.ClientLink;
import org.berth.rpc.link.Offer;
import org.berth.transport.Transport;
import org.berth.transport.failure.TransportException;
import org.berth.transport.settings.TransportSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The users that may use the transport, and their identities. */
class SecurityTest {
    private static final long SECONDS = TimeUnit.SECONDS.toNanos(30);

    private static ClientLink connect(Transport transport, Offer offer) throws TransportException {
        return ClientLink.connect(transport, "127.0.0.1", offer, 1 << 20, SECONDS);
    }

    @Test
    void tokenServesOnce() throws IOException {
        try (EchoServer server = EchoServer.start(EchoServer.FAST);
                EchoClient client = server.client(EchoServer.STOCK);
                Transport transport = Transport.open(TransportSettings.defaults("test"))) {
            Offer offer = BerthQuestion.ask(client.hadoop());
            try (ClientLink link = connect(transport, offer)) {
                assertThat(link.isOpen()).isTrue();
                assertThatThrownBy(() -> connect(transport, offer))
                        .isInstanceOf(TransportException.class)
                        .hasMessageContaining("the token is unknown, used or too old");
            }
        }
    }

    @Test
    void tokenThatWasNotGivenIsRefused() throws IOException {
        try (EchoServer server = EchoServer.start(EchoServer.FAST);
                EchoServer other = EchoServer.start(EchoServer.FAST);
                EchoClient client = server.client(EchoServer.STOCK);
                EchoClient otherClient = other.client(EchoServer.STOCK);
                Transport transport = Transport.open(TransportSettings.defaults("test"))) {
            Offer own = BerthQuestion.ask(client.hadoop());
            Offer others = BerthQuestion.ask(otherClient.hadoop());
            Offer mixed = new Offer(own.token(), others.port(), others.largestRequestBytes(), "");
            assertThatThrownBy(() -> connect(transport, mixed))
                    .isInstanceOf(TransportException.class)
                    .hasMessageContaining("the token is unknown");
        }
    }

    /** Tasks authenticate by tokens: SASL with DIGEST-MD5, with each protection that Hadoop has. */
    @ParameterizedTest
    @CsvSource({"authentication,BerthCall", "integrity,RpcCall", "privacy,RpcCall"})
    void protectedConnectionsAreLeftToHadoop(String protection, String way) throws IOException {
        Configuration settings = new Configuration();
        settings.set("hadoop.rpc.protection", protection);
        TestTokenSecretManager secrets = new TestTokenSecretManager();
        try (EchoServer server = EchoServer.start(EchoServer.FAST, settings, 0, 2, secrets)) {
            UserGroupInformation user = UserGroupInformation.createRemoteUser("tasks-user");
            Token<TestTokenIdentifier> token = new Token<>(new TestTokenIdentifier(new Text("tasks-user")), secrets);
            SecurityUtil.setTokenService(token, server.address());
            user.addToken(token);
            try (EchoClient client = EchoClient.connect(EchoServer.FAST, server.address(), settings, user, 0)) {
                assertThat(client.facts())
                        .containsEntry("way", way)
                        .containsEntry("user", "tasks-user (auth:TOKEN)")
                        .containsEntry("remote", "tasks-user (auth:TOKEN)");
            }
        }
    }

    @Test
    void proxyUsersActAsThoseTheyStandFor() throws IOException {
        Configuration settings = new Configuration();
        settings.set("hadoop.proxyuser.gateway.hosts", "*");
        settings.set("hadoop.proxyuser.gateway.users", "alice");
        org.apache.hadoop.security.authorize.ProxyUsers.refreshSuperUserGroupsConfiguration(settings);
        UserGroupInformation gateway = UserGroupInformation.createRemoteUser("gateway");
        try (EchoServer server = EchoServer.start(EchoServer.FAST, settings);
                EchoClient alice = EchoClient.connect(
                        EchoServer.FAST,
                        server.address(),
                        settings,
                        UserGroupInformation.createProxyUser("alice", gateway),
                        0);
                EchoClient bob = EchoClient.connect(
                        EchoServer.FAST,
                        server.address(),
                        settings,
                        UserGroupInformation.createProxyUser("bob", gateway),
                        0)) {
            assertThat(alice.facts())
                    .containsEntry("way", "BerthCall")
                    .containsEntry("user", "alice (auth:PROXY) via gateway (auth:SIMPLE)");
            assertThat(catchThrowableOfType(RemoteException.class, bob::facts).getClassName())
                    .isEqualTo(AuthorizationException.class.getName());
        }
    }

    @Test
    void servicesAuthorizeAsEver() throws IOException {
        Configuration settings = new Configuration();
        settings.setBoolean("hadoop.security.authorization", true);
        settings.set("security.echo.acl", "alice");
        PolicyProvider policy = new PolicyProvider() {
            @Override
            public Service[] getServices() {
                return new Service[] {new Service("security.echo.acl", TestRpcService.class)};
            }
        };
        try (EchoServer server = EchoServer.start(EchoServer.FAST, settings)) {
            server.hadoop().refreshServiceAcl(settings, policy);
            for (String name : new String[] {"alice", "bob"}) {
                UserGroupInformation user = UserGroupInformation.createRemoteUser(name);
                try (EchoClient fast = EchoClient.connect(EchoServer.FAST, server.address(), settings, user, 0);
                        EchoClient stock = EchoClient.connect(EchoServer.STOCK, server.address(), settings, user, 0)) {
                    if (name.equals("alice")) {
                        assertThat(fast.way()).isEqualTo("BerthCall");
                        assertThat(stock.way()).isEqualTo("RpcCall");
                    } else {
                        RemoteException one = catchThrowableOfType(RemoteException.class, fast::way);
                        RemoteException other = catchThrowableOfType(RemoteException.class, stock::way);
                        assertThat(one.getClassName()).isEqualTo(AuthorizationException.class.getName());
                        assertThat(one).hasMessage(other.getMessage());
                    }
                }
            }
        }
    }
}
