package org.berth.hdfs;

import java.io.IOException;
import java.lang.reflect.Proxy;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.DataStorage;
import org.apache.hadoop.hdfs.server.datanode.StorageLocation;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.FsDatasetFactory;

/**
 * Hadoop's own store of blocks, seen through a proxy that also places the threads that send blocks, append to them or
 * recover them, for which Hadoop does not ask {@link AffinityVolumePolicy}.
 *
 * <p>Where a volume is a RAM disk it gives Hadoop's store as it is, with a warning: Hadoop's writer of lazily persisted blocks
 * casts the store to its own class. Thread-safe.
 */
public final class AffinityDatasetFactory extends FsDatasetSpi.Factory<FsDatasetSpi<?>> {
    /**
     * Called by Hadoop, once for each DataNode.
     *
     * @throws IOException what Hadoop's own factory throws
     */
    @Override
    public FsDatasetSpi<?> newInstance(DataNode datanode, DataStorage storage, Configuration settings)
            throws IOException {
        FsDatasetSpi<?> dataset = new FsDatasetFactory().newInstance(datanode, storage, settings);
        if (hasRamDisk(settings)) {
            HdfsAffinityPlugin.LOG.warn(
                    "Berth: the threads that send blocks run unbound: {} has a RAM_DISK volume, and Hadoop's"
                            + " lazy persistence works with its own dataset only; drop one of RAM_DISK and {}",
                    DFSConfigKeys.DFS_DATANODE_DATA_DIR_KEY,
                    DFSConfigKeys.DFS_DATANODE_FSDATASET_FACTORY_KEY);
            return dataset;
        }
        return (FsDatasetSpi<?>) Proxy.newProxyInstance(
                AffinityDatasetFactory.class.getClassLoader(),
                new Class<?>[] {FsDatasetSpi.class},
                new BindingDataset(dataset));
    }

    private static boolean hasRamDisk(Configuration settings) throws IOException {
        for (StorageLocation location : DataNode.getStorageLocations(settings)) {
            if (location.getStorageType() == StorageType.RAM_DISK) {
                return true;
            }
        }
        return false;
    }
}
