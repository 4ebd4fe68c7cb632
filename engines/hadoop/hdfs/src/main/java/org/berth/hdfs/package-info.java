/** The threads of an HDFS DataNode near their disks and network; the shells between Hadoop's hooks and Berth. */
@NullMarked
package org.berth.hdfs;

import org.jspecify.annotations.NullMarked;
