package org.berth.hdfs;

import java.io.IOException;
import java.util.Collection;
import java.util.List;
import org.apache.hadoop.conf.Configurable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.RoundRobinVolumeChoosingPolicy;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.VolumeChoosingPolicy;
import org.apache.hadoop.util.ReflectionUtils;
import org.jspecify.annotations.Nullable;

/**
 * Lets another policy choose the volume of a new block, then binds the thread that receives the block.
 *
 * <p>Hadoop asks for a volume on the DataXceiver thread of the block, before that starts its PacketResponder, which
 * inherits the mask. The choice itself is that of {@value #DELEGATE}, Hadoop's round robin by default. Thread-safe where
 * that one is, as Hadoop's are.
 *
 * @param <V> Hadoop's volumes
 */
public final class AffinityVolumePolicy<V extends FsVolumeSpi> implements VolumeChoosingPolicy<V>, Configurable {
    /** Setting with the class of the policy that chooses. */
    public static final String DELEGATE = "berth.hdfs.volume.choosing.policy";

    private static final String PLUGINS = "dfs.datanode.plugins";

    private VolumeChoosingPolicy<V> delegate = new RoundRobinVolumeChoosingPolicy<>();
    private @Nullable Configuration settings;

    /**
     * Makes the policy that chooses.
     *
     * @throws RuntimeException when it cannot be made, or is this class; the DataNode then refuses its volumes, as it does
     *     with any policy that cannot be made
     */
    @Override
    @SuppressWarnings("unchecked") // as Hadoop makes it itself: V is always its one class of volumes
    public void setConf(Configuration settings) {
        this.settings = settings;
        Class<?> chosen = settings.getClass(DELEGATE, RoundRobinVolumeChoosingPolicy.class, VolumeChoosingPolicy.class);
        if (chosen == AffinityVolumePolicy.class) {
            throw new IllegalArgumentException(DELEGATE + " names the policy itself; give the one that is to choose, or"
                    + " leave it out for " + RoundRobinVolumeChoosingPolicy.class.getName());
        }
        delegate = (VolumeChoosingPolicy<V>) ReflectionUtils.newInstance(chosen, settings);
        Collection<String> plugins = settings.getTrimmedStringCollection(PLUGINS);
        if (!plugins.contains(HdfsAffinityPlugin.class.getName())) {
            HdfsAffinityPlugin.LOG.warn(
                    "Berth: the threads that receive blocks run unbound: {} does not name {}",
                    PLUGINS,
                    HdfsAffinityPlugin.class.getName());
        }
    }

    @Override
    public @Nullable Configuration getConf() {
        return settings;
    }

    /** The other policy's volume; only that policy's own exceptions get out. */
    @Override
    public V chooseVolume(List<V> volumes, long replicaSize, String storageId) throws IOException {
        V volume = delegate.chooseVolume(volumes, replicaSize, storageId);
        DataNodeBinder.bind(volume, BlockWork.RECEIVE);
        return volume;
    }
}
