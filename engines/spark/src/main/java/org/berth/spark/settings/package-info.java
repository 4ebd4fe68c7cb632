/**
 * The settings of the plugin and of Spark that more than one package reads. Read {@code AffinitySettings} first;
 * {@code BirthOption} is the advice that the driver logs.
 */
@NullMarked
package org.berth.spark.settings;

import org.jspecify.annotations.NullMarked;
