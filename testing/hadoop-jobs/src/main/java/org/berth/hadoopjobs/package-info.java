/** Jobs that the tests of several engines run. They know no engine, so that the same job runs on Hadoop's own and on Berth's. */
@NullMarked
package org.berth.hadoopjobs;

import org.jspecify.annotations.NullMarked;
