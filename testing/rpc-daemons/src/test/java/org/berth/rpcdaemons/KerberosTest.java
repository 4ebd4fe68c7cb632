package org.berth.rpcdaemons;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.util.List;
import java.util.Properties;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.minikdc.MiniKdc;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.Token;
import org.berth.oracle.Await;
import org.berth.rpc.FastProtobufRpcEngine;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A NameNode with Kerberos. It permits each protection of RPC, and the client chooses one. */
@Tag("cluster")
@Tag("one-jdk")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class KerberosTest {
    private static final String PROTOCOL = "org.apache.hadoop.hdfs.protocolPB.ClientNamenodeProtocolPB";
    private static final String AUDIT = FSNamesystem.class.getName() + ".audit";
    private static final int CALLS = 5;

    private final Configuration settings = new HdfsConfiguration();
    private MiniKdc kerberos;
    private File keys;
    private MiniDFSCluster cluster;

    @BeforeAll
    void start(@TempDir Path folder) throws Exception {
        Properties facts = MiniKdc.createConf();
        kerberos =
                new MiniKdc(facts, Files.createDirectory(folder.resolve("kdc")).toFile());
        kerberos.start();
        keys = folder.resolve("keys").toFile();
        kerberos.createPrincipal(keys, "nn/localhost", "HTTP/localhost", "alice");
        String nameNode = "nn/localhost@" + kerberos.getRealm();
        settings.set("hadoop.security.authentication", "kerberos");
        settings.set("hadoop.rpc.protection", "authentication,integrity,privacy");
        settings.set("dfs.namenode.kerberos.principal", nameNode);
        settings.set("dfs.namenode.keytab.file", keys.toString());
        settings.set("dfs.web.authentication.kerberos.principal", "HTTP/localhost@" + kerberos.getRealm());
        settings.set("dfs.web.authentication.kerberos.keytab", keys.toString());
        settings.setBoolean("dfs.block.access.token.enable", true);
        settings.setBoolean("dfs.permissions.enabled", false);
        settings.set("rpc.engine." + PROTOCOL, FastProtobufRpcEngine.class.getName());
        UserGroupInformation.setConfiguration(settings);
        cluster = new MiniDFSCluster.Builder(settings, folder.resolve("dfs").toFile())
                .numDataNodes(0)
                .build();
        cluster.waitActive();
    }

    @AfterAll
    void stop() {
        if (cluster != null) {
            cluster.shutdown();
        }
        if (kerberos != null) {
            kerberos.stop();
        }
        UserGroupInformation.reset();
    }

    private UserGroupInformation alice() throws IOException {
        return UserGroupInformation.loginUserFromKeytabAndReturnUGI("alice@" + kerberos.getRealm(), keys.toString());
    }

    private Configuration protectedBy(String protection) {
        Configuration own = new Configuration(settings);
        own.set("hadoop.rpc.protection", protection);
        return own;
    }

    /** What the NameNode audits of calls of a user, the same line for each. */
    private List<String> calls(UserGroupInformation user, Configuration own, String folder) throws Exception {
        try (LogLines audit = LogLines.of(AUDIT)) {
            user.doAs((PrivilegedExceptionAction<Void>) () -> {
                try (FileSystem files = FileSystem.newInstance(cluster.getURI(), own)) {
                    for (int i = 0; i < CALLS; i++) {
                        assertThat(files.mkdirs(new org.apache.hadoop.fs.Path(folder, "" + i)))
                                .isTrue();
                    }
                }
                return null;
            });
            // With its asynchronous edit log the NameNode may answer before it audits.
            Await.until("the audit of all calls", () -> audit.lines().size() >= CALLS);
            return audit.lines();
        }
    }

    @ParameterizedTest
    @CsvSource({"authentication,true,''", "integrity,false,auth-int", "privacy,false,auth-conf"})
    void callsTakeTheTransportWhereTheirBytesNeedNoProtection(String protection, boolean isFast, String quality)
            throws Exception {
        try (LogLines log = LogLines.of("org.berth.rpc")) {
            List<String> audited = calls(alice(), protectedBy(protection), "/" + protection);
            assertThat(audited)
                    .hasSize(CALLS)
                    .allMatch(line -> line.contains("ugi=alice@" + kerberos.getRealm() + " (auth:KERBEROS)"));
            List<String> ways = log.lines().stream()
                    .filter(line -> line.contains(" goes over "))
                    .toList();
            assertThat(ways).hasSize(1);
            assertThat(ways.get(0))
                    .contains(
                            isFast
                                    ? "goes over the transport (local)"
                                    : "goes over Hadoop's own connection: the connection is protected (" + quality);
        }
    }

    @Test
    void delegationTokensAuthenticateForTheTransport() throws Exception {
        UserGroupInformation alice = alice();
        Token<?> token = alice.doAs((PrivilegedExceptionAction<Token<?>>) () -> {
            try (FileSystem files = FileSystem.newInstance(cluster.getURI(), protectedBy("authentication"))) {
                return files.getDelegationToken("alice");
            }
        });
        UserGroupInformation task = UserGroupInformation.createRemoteUser("task");
        task.addToken(token);
        try (LogLines log = LogLines.of("org.berth.rpc")) {
            assertThat(calls(task, protectedBy("authentication"), "/token"))
                    .hasSize(CALLS)
                    .allMatch(line -> line.contains("ugi=alice@" + kerberos.getRealm() + " (auth:TOKEN)"));
            assertThat(log.lines()).anyMatch(line -> line.contains("goes over the transport (local)"));
        }
    }

    @Test
    void usersWithoutTicketOrTokenAreRefusedAsEver() {
        UserGroupInformation nobody = UserGroupInformation.createRemoteUser("nobody");
        assertThatThrownBy(() -> calls(nobody, protectedBy("authentication"), "/nobody"))
                .hasMessageContaining("Client cannot authenticate via:[TOKEN, KERBEROS]");
    }
}
