/** {@code berth conf}: prints the settings of a Spark application, and those of YARN's containers. */
@NullMarked
package org.berth.cli.conf;

import org.jspecify.annotations.NullMarked;
