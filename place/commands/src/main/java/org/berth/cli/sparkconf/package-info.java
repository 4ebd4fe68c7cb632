/** {@code berth spark-conf}: prints the settings of a Spark application. */
@NullMarked
package org.berth.cli.sparkconf;

import org.jspecify.annotations.NullMarked;
