package org.berth.spark.status;

import java.io.Serializable;
import java.util.List;
import java.util.Map;
import org.berth.observation.memory.HeapMemory;

/**
 * The heap of an executor as the kernel has it, and what the JVM and the kernel do about huge pages. Immutable.
 *
 * @param nodes its bytes in memory on each node, ordered by node; empty when they are not known
 * @param reason why they are not known; empty when they are
 * @param asked what the options of the JVM ask for
 * @param kernel when this kernel gives transparent huge pages to this heap
 */
public record HeapStatus(List<OnNode> nodes, String reason, String asked, String kernel) implements Serializable {
    /** The maximum number of nodes of a kernel (CONFIG_NODES_SHIFT of 10). */
    private static final int MAX_NODES = 1024;

    public HeapStatus {
        nodes = ExecutorStatus.cut(MAX_NODES, nodes);
        reason = ExecutorStatus.line(reason);
        asked = ExecutorStatus.line(asked);
        kernel = ExecutorStatus.line(kernel);
    }

    /**
     * The part of the heap on one node.
     *
     * @param node osIndex of the node
     * @param bytes bytes in memory
     * @param hugeBytes the part of them in huge pages, transparent or explicit
     */
    public record OnNode(int node, long bytes, long hugeBytes) implements Serializable {}

    static HeapStatus known(HeapMemory memory, String asked, String kernel) {
        List<OnNode> nodes = memory.bytesByNode().entrySet().stream()
                .map(node -> onNode(node, memory))
                .toList();
        return new HeapStatus(nodes, "", asked, kernel);
    }

    private static OnNode onNode(Map.Entry<Integer, Long> node, HeapMemory memory) {
        return new OnNode(
                node.getKey(), node.getValue(), memory.hugeBytesByNode().getOrDefault(node.getKey(), 0L));
    }

    static HeapStatus unknown(String reason, String asked, String kernel) {
        return new HeapStatus(List.of(), reason, asked, kernel);
    }

    /** Bytes in memory on all nodes; {@link ExecutorStatus#UNKNOWN} when they are not known. */
    public long bytes() {
        return nodes.isEmpty()
                ? ExecutorStatus.UNKNOWN
                : nodes.stream().mapToLong(OnNode::bytes).sum();
    }

    /** Bytes in huge pages on all nodes; {@link ExecutorStatus#UNKNOWN} when they are not known. */
    public long hugeBytes() {
        return nodes.isEmpty()
                ? ExecutorStatus.UNKNOWN
                : nodes.stream().mapToLong(OnNode::hugeBytes).sum();
    }

    /** The approximate size of this status, in characters. */
    long characters() {
        return 60L * nodes.size() + reason.length() + asked.length() + kernel.length();
    }
}
