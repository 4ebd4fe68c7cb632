/** {@code berth mapreduce}: runs an unmodified Hadoop job jar without a Hadoop installation. */
@NullMarked
package org.berth.cli.mapreduce;

import org.jspecify.annotations.NullMarked;
