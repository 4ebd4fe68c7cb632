package org.apache.hadoop.security;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import javax.security.auth.Subject;
import javax.security.auth.kerberos.KerberosPrincipal;
import javax.security.auth.kerberos.KerberosTicket;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.security.UserGroupInformation.AuthenticationMethod;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.security.token.TokenIdentifier;
import org.berth.mapreduce.client.TaskUsers;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The users of attempts are others with the same rights. */
@Tag("one-jdk")
class TaskUsersTest {
    private static KerberosTicket ticket(int number) {
        KerberosPrincipal principal = new KerberosPrincipal("someone@EXAMPLE.COM", KerberosPrincipal.KRB_NT_PRINCIPAL);
        byte[] bytes = {(byte) number};
        return new KerberosTicket(
                bytes,
                principal,
                principal,
                bytes,
                1,
                null,
                null,
                null,
                Date.from(Instant.now().plusSeconds(3600)),
                null,
                null);
    }

    private static Token<TokenIdentifier> token(String service) {
        return new Token<>(new byte[] {1}, new byte[] {2}, new Text("kind"), new Text(service));
    }

    private static void assertThatItHas(UserGroupInformation user, KerberosTicket ticket, String... services)
            throws IOException {
        UserGroupInformation current = UserGroupInformation.getCurrentUser();
        assertThat(current).isEqualTo(user);
        assertThat(current.getAuthenticationMethod()).isEqualTo(AuthenticationMethod.KERBEROS);
        assertThat(current.getSubject().getPrivateCredentials(KerberosTicket.class))
                .containsExactly(ticket);
        assertThat(current.getTokens())
                .extracting(token -> token.getService().toString())
                .containsExactlyInAnyOrder(services);
    }

    @Test
    void aCopyHasTheTicketsAndTokensOfNow() throws Exception {
        Subject subject = new Subject();
        subject.getPrincipals().add(new User("someone", AuthenticationMethod.KERBEROS, null));
        KerberosTicket first = ticket(1);
        subject.getPrivateCredentials().add(first);
        UserGroupInformation someone = new UserGroupInformation(subject);
        someone.addToken(token("of the user"));
        List<UserGroupInformation> seen = new ArrayList<>();
        try (TaskUsers users = TaskUsers.of(someone)) {
            TaskUsers.Lease one = users.lease();
            one.run(() -> {
                seen.add(UserGroupInformation.getCurrentUser());
                assertThatItHas(seen.get(0), first, "of the user");
                seen.get(0).addToken(token("of the task"));
                try (TaskUsers.Lease other = users.lease()) {
                    other.run(() -> seen.add(UserGroupInformation.getCurrentUser()));
                    other.open(() -> seen.add(UserGroupInformation.getCurrentUser()));
                    return one.open(() -> seen.add(UserGroupInformation.getCurrentUser()));
                }
            });
            one.close();
            assertThat(seen).doesNotHaveDuplicates().doesNotContain(someone);
            KerberosTicket second = ticket(2);
            subject.getPrivateCredentials().remove(first);
            subject.getPrivateCredentials().add(second);
            someone.addToken(token("later"));
            users.lease().run(() -> {
                assertThatItHas(seen.get(0), second, "of the user", "later");
                return true;
            });
        }
        assertThat(someone.getTokens()).hasSize(2);
    }

    @Test
    void aCopyOfAProxyUserIsOneForTheSameUser() throws Exception {
        UserGroupInformation login = UserGroupInformation.getLoginUser();
        try (TaskUsers users = TaskUsers.of(UserGroupInformation.createProxyUser("someone", login))) {
            users.lease().run(() -> {
                UserGroupInformation current = UserGroupInformation.getCurrentUser();
                assertThat(current.getShortUserName()).isEqualTo("someone");
                assertThat(current.getAuthenticationMethod()).isEqualTo(AuthenticationMethod.PROXY);
                assertThat(current.getRealUser()).isEqualTo(login);
                return true;
            });
        }
    }
}
