/**
 * Binds the threads of an HDFS DataNode near their disks and network.
 *
 * <p>Hadoop's hooks ({@code HdfsAffinityPlugin}, {@code AffinityVolumePolicy}, {@code AffinityDatasetFactory}) meet in
 * {@code DataNodeBinder}, which decides by {@code VolumePlacement} and {@code SharedState} and binds by {@code BoundThreads};
 * {@code Upkeep} follows what changes.
 */
@NullMarked
package org.berth.hdfs;

import org.jspecify.annotations.NullMarked;
