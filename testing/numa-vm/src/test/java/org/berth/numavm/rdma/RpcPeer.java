package org.berth.numavm.rdma;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.proto.GenericRefreshProtocolProtos.GenericRefreshProtocolService;
import org.apache.hadoop.ipc.proto.GenericRefreshProtocolProtos.GenericRefreshRequestProto;
import org.apache.hadoop.ipc.proto.GenericRefreshProtocolProtos.GenericRefreshResponseCollectionProto;
import org.apache.hadoop.ipc.proto.GenericRefreshProtocolProtos.GenericRefreshResponseProto;
import org.apache.hadoop.ipc.protocolPB.GenericRefreshProtocolPB;
import org.apache.hadoop.thirdparty.protobuf.RpcController;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.berth.rpc.FastProtobufRpcEngine;

/**
 * One end of Hadoop RPC in a process of its own, by Berth's engine: {@code server KEY=VALUE…} answers with what it was
 * sent,
 * {@code client PORT KEY=VALUE…} asks as lines of standard input say. The protocol is one of Hadoop's own whose
 * messages hold a text.
 */
public final class RpcPeer {
    private RpcPeer() {}

    /** Ends with its standard input. */
    public static void main(String[] arguments) throws Exception {
        boolean serves = arguments[0].equals("server");
        Configuration settings = new Configuration();
        settings.set("hadoop.security.group.mapping", "org.apache.hadoop.security.NullGroupsMapping");
        settings.setInt("ipc.client.rpc-timeout.ms", 120_000);
        List<String> more = Arrays.asList(arguments).subList(serves ? 1 : 2, arguments.length);
        for (String word : more) {
            int equals = word.indexOf('=');
            settings.set(word.substring(0, equals), word.substring(equals + 1));
        }
        RPC.setProtocolEngine(settings, GenericRefreshProtocolPB.class, FastProtobufRpcEngine.class);
        if (serves) {
            serve(settings);
        } else {
            ask(settings, Integer.parseInt(arguments[1]));
        }
        // Hadoop's clients have threads that would keep the JVM.
        System.exit(0);
    }

    private static void serve(Configuration settings) throws IOException {
        RPC.Server server = new RPC.Builder(settings)
                .setProtocol(GenericRefreshProtocolPB.class)
                .setInstance(GenericRefreshProtocolService.newReflectiveBlockingService(RpcPeer::echo))
                .setBindAddress(SoftRdma.ADDRESS)
                .setPort(0)
                .setNumHandlers(2)
                .build();
        server.start();
        System.out.println("listens " + server.getListenerAddress().getPort());
        while (System.in.read() >= 0) {
            // Until the other end closes it.
        }
        server.stop();
    }

    private static GenericRefreshResponseCollectionProto echo(RpcController call, GenericRefreshRequestProto request) {
        return GenericRefreshResponseCollectionProto.newBuilder()
                .addResponses(GenericRefreshResponseProto.newBuilder().setUserMessage(request.getIdentifier()))
                .build();
    }

    /** "ask COUNT SIZE…": this number of calls of each size, and how many answers were what was asked. */
    private static void ask(Configuration settings, int port) throws IOException {
        GenericRefreshProtocolPB proxy = RPC.getProxy(
                GenericRefreshProtocolPB.class,
                RPC.getProtocolVersion(GenericRefreshProtocolPB.class),
                new InetSocketAddress(SoftRdma.ADDRESS, port),
                settings);
        try (BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                String[] words = line.split(" ", -1);
                try {
                    System.out.println("right " + ask(proxy, words));
                } catch (ServiceException failed) {
                    System.out.println("failed "
                            + String.valueOf(failed).lines().findFirst().orElse(""));
                }
            }
        } finally {
            RPC.stopProxy(proxy);
        }
    }

    private static int ask(GenericRefreshProtocolPB proxy, String[] words) throws ServiceException {
        int right = 0;
        Random random = new Random(words.length);
        for (int i = 2; i < words.length; i++) {
            for (int turn = 0; turn < Integer.parseInt(words[1]); turn++) {
                byte[] letters = new byte[Integer.parseInt(words[i])];
                for (int at = 0; at < letters.length; at++) {
                    letters[at] = (byte) ('a' + random.nextInt(26));
                }
                String text = new String(letters, StandardCharsets.US_ASCII);
                String answer = proxy.refresh(
                                null,
                                GenericRefreshRequestProto.newBuilder()
                                        .setIdentifier(text)
                                        .build())
                        .getResponses(0)
                        .getUserMessage();
                right += answer.equals(text) ? 1 : 0;
            }
        }
        return right;
    }
}
