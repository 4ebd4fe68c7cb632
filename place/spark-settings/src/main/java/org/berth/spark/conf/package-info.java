/**
 * The settings of a Spark application that Berth binds: their names, and the values for hosts like a machine. The module
 * does not depend on Spark, so that the command line does not have to fetch Spark to print them.
 */
@NullMarked
package org.berth.spark.conf;

import org.jspecify.annotations.NullMarked;
