package org.berth.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.NameNodeProxies;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.qjournal.MiniQJMHACluster;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.hdfs.server.namenode.NameNodeRpcServer;
import org.apache.hadoop.hdfs.server.namenode.ha.EditLogTailer;
import org.apache.hadoop.hdfs.server.namenode.ha.HATestUtil;
import org.apache.hadoop.hdfs.server.namenode.ha.ObserverReadProxyProvider;
import org.apache.hadoop.ipc.CallerContext;
import org.apache.hadoop.ipc.Client;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.metrics.RpcMetrics;
import org.apache.hadoop.security.UserGroupInformation;
import org.berth.oracle.Await;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * An active, a standby and an observing NameNode over a quorum of journals, with the transport for all of their protocols. Their
 * start takes most of half a minute: only when it is asked for.
 */
@Tag("cluster")
@Tag("one-jdk")
@EnabledIfSystemProperty(named = "berth.rpc.availability", matches = "true")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HighAvailabilityTest {
    private static final List<String> PROTOCOLS = List.of(
            "hdfs.protocolPB.ClientNamenodeProtocolPB",
            "hdfs.protocolPB.DatanodeProtocolPB",
            "hdfs.protocolPB.NamenodeProtocolPB",
            "hdfs.qjournal.protocolPB.QJournalProtocolPB",
            "hdfs.qjournal.protocolPB.InterQJournalProtocolPB",
            "ha.protocolPB.HAServiceProtocolPB");

    private static final int OBSERVER = 2;

    private final Configuration settings = new HdfsConfiguration();
    private MiniQJMHACluster journals;
    private MiniDFSCluster cluster;

    @BeforeAll
    void start(@TempDir Path folder) throws Exception {
        PROTOCOLS.forEach(protocol ->
                settings.set("rpc.engine.org.apache.hadoop." + protocol, FastProtobufRpcEngine.class.getName()));
        settings.setBoolean("dfs.namenode.state.context.enabled", true);
        settings.setBoolean("hadoop.caller.context.enabled", true);
        settings.setBoolean("dfs.ha.tail-edits.in-progress", true);
        settings.setTimeDuration("dfs.ha.tail-edits.period", 100, TimeUnit.MILLISECONDS);
        settings.setTimeDuration("dfs.client.failover.observer.probe.retry.period", 0, TimeUnit.MILLISECONDS);
        settings.setInt("dfs.client.failover.max.attempts", 100);
        settings.setInt("dfs.client.failover.sleep.base.millis", 50);
        settings.setInt("dfs.client.failover.sleep.max.millis", 500);
        MiniQJMHACluster.Builder builder = new MiniQJMHACluster.Builder(
                        settings, folder.resolve("dfs").toFile())
                .baseDir(folder.resolve("journals") + File.separator)
                .setNumNameNodes(3);
        builder.getDfsBuilder().numDataNodes(1);
        journals = builder.build();
        cluster = journals.getDfsCluster();
        cluster.transitionToActive(0);
        cluster.waitActive(0);
        cluster.transitionToObserver(OBSERVER);
    }

    @AfterAll
    void stop() throws IOException {
        if (journals != null) {
            journals.shutdown();
        }
    }

    /** A client with its own connections, by Berth's engine or by Hadoop's; the usual provider fails at an observer. */
    private DistributedFileSystem connect(boolean isFast) throws Exception {
        Configuration own = new Configuration(settings);
        if (!isFast) {
            PROTOCOLS.forEach(protocol -> own.unset("rpc.engine.org.apache.hadoop." + protocol));
        }
        own.setBoolean("fs.hdfs.impl.disable.cache", true);
        return HATestUtil.configureObserverReadFs(cluster, own, ObserverReadProxyProvider.class, true);
    }

    @Test
    void callsUnderWayFollowTheActiveNameNode() throws Exception {
        long before = served();
        AtomicBoolean isOver = new AtomicBoolean();
        Set<String> made = ConcurrentHashMap.newKeySet();
        ExecutorService threads = Executors.newCachedThreadPool();
        try (DistributedFileSystem files = connect(true)) {
            List<Callable<Void>> callers = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                String prefix = "caller" + i + "-";
                callers.add(() -> {
                    for (int call = 0; !isOver.get(); call++) {
                        assertThat(files.mkdirs(path("/under-load/" + prefix + call)))
                                .isTrue();
                        made.add(prefix + call);
                    }
                    return null;
                });
            }
            List<Future<Void>> running = new ArrayList<>();
            callers.forEach(caller -> running.add(threads.submit(caller)));
            for (int active : new int[] {1, 0}) {
                int then = made.size();
                Await.until("calls at the active NameNode", () -> made.size() > then + 50 || anyDone(running));
                cluster.transitionToStandby(1 - active);
                cluster.transitionToActive(active);
            }
            int last = made.size();
            Await.until("calls after the last failover", () -> made.size() > last + 50 || anyDone(running));
            isOver.set(true);
            for (Future<Void> caller : running) {
                caller.get();
            }
        } finally {
            isOver.set(true);
            threads.shutdownNow();
        }
        try (DistributedFileSystem files = connect(false)) {
            Set<String> listed = Arrays.stream(files.listStatus(path("/under-load")))
                    .map(file -> file.getPath().getName())
                    .collect(Collectors.toSet());
            assertThat(listed).isEqualTo(made);
        }
        Await.until("calls over the transport", () -> served() - before >= made.size());
    }

    private static boolean anyDone(List<Future<Void>> running) {
        return running.stream().anyMatch(Future::isDone);
    }

    /** The client's state goes with its calls: an observer that is behind keeps a read until it has caught up. */
    @Test
    void observersAnswerWithWhatTheClientHasWritten() throws Exception {
        long before = served();
        FSNamesystem observer = cluster.getNamesystem(OBSERVER);
        RpcMetrics metrics = ((NameNodeRpcServer) cluster.getNameNodeRpc(OBSERVER))
                .getClientRpcServer()
                .getRpcMetrics();
        ExecutorService threads = Executors.newSingleThreadExecutor();
        try (DistributedFileSystem files = connect(true)) {
            for (int i = 0; i < 20; i++) {
                files.mkdirs(path("/observed" + i));
                assertThat(files.getFileStatus(path("/observed" + i)).isDirectory())
                        .isTrue();
                assertThat(HATestUtil.isSentToAnyOfNameNodes(files, cluster, OBSERVER))
                        .isTrue();
            }
            observer.getEditLogTailer().stop();
            try {
                long requeued = metrics.getRpcRequeueCalls();
                files.mkdirs(path("/behind"));
                Future<Boolean> read = threads.submit(
                        () -> files.getFileStatus(path("/behind")).isDirectory());
                Await.until("the read to wait", () -> metrics.getRpcRequeueCalls() > requeued + 1 || read.isDone());
                assertThat(read.isDone()).isFalse();
                observer.getEditLogTailer().doTailEdits();
                assertThat(read.get()).isTrue();
                assertThat(HATestUtil.isSentToAnyOfNameNodes(files, cluster, OBSERVER))
                        .isTrue();
            } finally {
                EditLogTailer again = new EditLogTailer(observer, settings);
                observer.setEditLogTailerForTests(again);
                again.start();
            }
        } finally {
            threads.shutdownNow();
        }
        Await.until("calls over the transport", () -> served() - before >= 42);
    }

    /** Hadoop's retry cache knows a call by its number and its client: by one way or by the other. */
    @Test
    void callsThatAreTriedAgainRunOnce() throws Exception {
        Configuration stock = new Configuration(settings);
        PROTOCOLS.forEach(protocol -> stock.unset("rpc.engine.org.apache.hadoop." + protocol));
        ClientProtocol fast = proxy(settings);
        ClientProtocol other = proxy(stock);
        try {
            for (List<ClientProtocol> ways : List.of(List.of(fast, fast), List.of(fast, other), List.of(other, fast))) {
                fast.mkdirs("/retried", new org.apache.hadoop.fs.permission.FsPermission("755"), true);
                int call = Client.nextCallId();
                Client.setCallIdAndRetryCount(call, 0, null);
                assertThat(ways.get(0).delete("/retried", true)).isTrue();
                Client.setCallIdAndRetryCount(call, 1, null);
                assertThat(ways.get(1).delete("/retried", true))
                        .as("the first one's answer")
                        .isTrue();
                Client.setCallIdAndRetryCount(Client.nextCallId(), 0, null);
                assertThat(ways.get(1).delete("/retried", true)).isFalse();
            }
        } finally {
            RPC.stopProxy(fast);
            RPC.stopProxy(other);
        }
    }

    private ClientProtocol proxy(Configuration own) throws IOException {
        return NameNodeProxies.createNonHAProxy(
                        own,
                        cluster.getNameNode(0).getNameNodeAddress(),
                        ClientProtocol.class,
                        UserGroupInformation.getCurrentUser(),
                        false)
                .getProxy();
    }

    @Test
    void auditLogHasTheCallersContext() throws Exception {
        Map<String, String> lines = new ConcurrentHashMap<>();
        CallerContext.setCurrent(new CallerContext.Builder("job_4711").build());
        try (DistributedFileSystem files = connect(true);
                AuditLog log = AuditLog.listen(lines)) {
            files.mkdirs(path("/with-context"));
            assertThat(log.isListening()).isTrue();
            // With its asynchronous edit log the NameNode may answer before it audits.
            Await.untilAsserted(
                    "the audit of the call",
                    () -> assertThat(lines.values())
                            .anyMatch(line ->
                                    line.contains("src=/with-context") && line.contains("callerContext=job_4711")));
        } finally {
            CallerContext.setCurrent(null);
        }
    }

    private static org.apache.hadoop.fs.Path path(String name) {
        return new org.apache.hadoop.fs.Path(name);
    }

    private static long served() {
        return HdfsTest.counters().getOrDefault("CallsServed", 0L);
    }
}
