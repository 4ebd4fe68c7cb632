package org.berth.hdfs;

import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.util.ServicePlugin;
import org.berth.binding.internal.jvm.BerthCopies;
import org.berth.binding.internal.jvm.FailureText;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Binds the threads of a DataNode near their disks and network, by configuration alone (hdfs-site.xml):
 *
 * <pre>{@code
 * dfs.datanode.plugins                             org.berth.hdfs.HdfsAffinityPlugin
 * dfs.datanode.fsdataset.volume.choosing.policy    org.berth.hdfs.AffinityVolumePolicy
 * dfs.datanode.fsdataset.factory                   org.berth.hdfs.AffinityDatasetFactory   (reads and appends too; optional)
 * berth.hdfs.policy                                interrupt | node | none
 * }</pre>
 *
 * <p>It finds the disks of the volumes, the network adapter and their interrupts, watches the load of the CPUs, keeps the
 * service threads of each volume near its disk, and decides for the threads that receive and send blocks, which the other
 * two classes report to it. Hadoop starts it when the DataNode listens already: threads that work on the first blocks are not bound.
 *
 * <p>Never fails a DataNode or a block: what goes wrong is one warning in the log, and the threads run unbound.
 */
public final class HdfsAffinityPlugin implements ServicePlugin {
    static final Logger LOG = LoggerFactory.getLogger(HdfsAffinityPlugin.class);

    private @Nullable DataNodeBinder binder;
    private BerthCopies.@Nullable Use copy;

    /** Made by Hadoop. */
    public HdfsAffinityPlugin() {}

    /** Called by Hadoop, on the DataNode's main thread; does not throw. */
    @Override
    public void start(Object service) {
        try {
            BerthCopies.Use used = BerthCopies.use("the threads of this DataNode", HdfsAffinityPlugin.class);
            copy = used;
            used.line().ifPresent(line -> LOG.warn("Berth: {}", line));
            if (!used.isAllowed()) {
                return;
            }
            binder = DataNodeBinder.open(((DataNode) service).getConf());
        } catch (Exception | LinkageError e) {
            LOG.warn("Berth: all threads of this DataNode run unbound: {}", FailureText.of(e));
        }
    }

    /** Restores the former CPUs of all threads that still live; does not throw. */
    @Override
    public void stop() {
        DataNodeBinder open = binder;
        binder = null;
        BerthCopies.Use used = copy;
        if (used != null) {
            used.close();
        }
        if (open != null) {
            try {
                open.close();
            } catch (Exception | LinkageError e) {
                LOG.warn("Berth: not all threads got their former CPUs back: {}", FailureText.of(e));
            }
        }
    }

    /** Does the same as {@link #stop()}. */
    @Override
    public void close() {
        stop();
    }
}
