package org.berth.hdfs;

import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.server.datanode.ReplicaHandler;
import org.apache.hadoop.hdfs.server.datanode.StorageLocation;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.jspecify.annotations.Nullable;

/**
 * Passes every call on, and binds the calling thread by what it returns: the volume of a block that it is about to
 * send, or the replica that it goes on writing. New blocks are the matter of the volume policy. */
record BindingDataset(FsDatasetSpi<?> dataset) implements InvocationHandler {
    @Override
    @SuppressWarnings("ReferenceEquality") // a proxy equals itself only, as Hadoop's store does
    public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) throws Throwable {
        if (method.getName().equals("equals") && arguments != null && arguments.length == 1) {
            return arguments[0] == proxy;
        }
        if (method.getName().equals("addVolume") && arguments != null) {
            refuseRamDisk(arguments[0]);
        }
        Object result;
        try {
            result = method.invoke(dataset, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause() == null ? e : e.getCause();
        }
        // The class alone does not tell: createRbw gives a ReplicaHandler too.
        switch (method.getName()) {
            case "getVolume" -> bind(result, BlockWork.SEND);
            case "append", "recoverAppend", "recoverRbw" -> bind(result, BlockWork.CONTINUE);
            default -> {}
        }
        return result;
    }

    /** Hadoop's writer of lazily persisted blocks casts the store to its own class: they would stay in memory. */
    private static void refuseRamDisk(Object location) throws IOException {
        if (location instanceof StorageLocation volume && volume.getStorageType() == StorageType.RAM_DISK) {
            throw new IOException("cannot add " + volume + " to a running DataNode with "
                    + DFSConfigKeys.DFS_DATANODE_FSDATASET_FACTORY_KEY + " "
                    + AffinityDatasetFactory.class.getName()
                    + ": Hadoop's lazy persistence works with its own dataset only; restart the DataNode with it, or"
                    + " without that property");
        }
    }

    private static void bind(@Nullable Object result, BlockWork work) {
        if (result instanceof FsVolumeSpi volume) {
            DataNodeBinder.bind(volume, work);
        } else if (result instanceof ReplicaHandler handler) {
            DataNodeBinder.bind(handler.getReplica().getVolume(), work);
        }
    }
}
