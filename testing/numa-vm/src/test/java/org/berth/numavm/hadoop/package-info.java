/** Tests of the real daemons of HDFS and YARN on several nodes; they need Hadoop on the class path. */
@NullMarked
package org.berth.numavm.hadoop;

import org.jspecify.annotations.NullMarked;
