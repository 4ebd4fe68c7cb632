package org.berth.jobkit;

import org.berth.text.Words;

/**
 * How the DataNodes of a job on HDFS are set up: an arm of a comparison, written as its {@link #toString word} in {@code
 * berth bench --policies} and in the job's {@code --policy}.
 */
public enum HdfsArm {
    /** Hadoop as it is, without any of Berth's hooks. */
    STOCK,
    /** All hooks, which bind nothing. */
    NONE,
    /** All hooks, with the policy of this name in {@code berth.hdfs.policy}. */
    NODE,
    /** All hooks, with the policy of this name in {@code berth.hdfs.policy}. */
    INTERRUPT,
    /** Hadoop as it is, but clients and DataNodes call the NameNode over Berth's transport. */
    FAST_RPC;

    /** The word that a user wrote, or the one that it is an alias of: {@code paper} is {@code interrupt}. */
    public static String canonical(String word) {
        return word.equals("paper") ? INTERRUPT.toString() : word;
    }

    /** The word for it: the name in lower case, with hyphens. */
    @Override
    public String toString() {
        return Words.of(this);
    }
}
