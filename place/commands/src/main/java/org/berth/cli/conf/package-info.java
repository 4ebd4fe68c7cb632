/** {@code berth conf}: prints the settings of engines: a Spark application, YARN's containers, a DataNode, a pod. */
@NullMarked
package org.berth.cli.conf;

import org.jspecify.annotations.NullMarked;
