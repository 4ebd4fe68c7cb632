/** Uploads to a real HDFS and reads from it, as programs that {@code berth bench} can run. */
@NullMarked
package org.berth.uploads;

import org.jspecify.annotations.NullMarked;
