package org.berth.mapreduce.embedded.cache;

import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;

/**
 * A complete block of a file of HDFS. Its bytes never change: append, truncate and the repair of a pipeline give the block another
 * generation stamp, and what is written anew has another identifier.
 *
 * @param path of the file, with its file system
 * @param id identifier in the pool of its NameNode, which uses none twice
 * @param startBytes where the block begins in the file
 * @param version what tells its content from that of each other block of this path and identifier
 */
public record HdfsBlock(String path, long id, long startBytes, Version version) {
    /**
     * One state of a block.
     *
     * @param pool blocks of one NameNode; a NameNode that was formatted anew has another one
     * @param generationStamp number that changes with the content
     * @param sizeBytes length; that of a snapshot may be shorter than the block
     */
    record Version(String pool, long generationStamp, long sizeBytes) {}

    /** Returns the block as the NameNode names it. */
    public static HdfsBlock of(String path, LocatedBlock located) {
        ExtendedBlock block = located.getBlock();
        return new HdfsBlock(
                path,
                block.getBlockId(),
                located.getStartOffset(),
                new Version(block.getBlockPoolId(), block.getGenerationStamp(), block.getNumBytes()));
    }

    /** The name of its blocks in memory, which is below the path of the file, so that they leave with it. */
    String key() {
        return path + "/" + id;
    }

    long sizeBytes() {
        return version.sizeBytes();
    }
}
