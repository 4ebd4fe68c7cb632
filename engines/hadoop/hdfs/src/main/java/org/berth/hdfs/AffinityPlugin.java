package org.berth.hdfs;

/** The name of {@link HdfsAffinityPlugin} in configurations that were written for earlier versions. */
public final class AffinityPlugin extends HdfsAffinityPlugin {}
