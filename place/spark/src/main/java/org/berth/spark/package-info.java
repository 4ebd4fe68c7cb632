/**
 * The Spark plugin: {@link org.berth.spark.AffinityPlugin} is what {@code spark.plugins} names. Its two halves catch every
 * exception and connect Spark's hooks to the packages below. Each of these uses only those before it: {@code settings},
 * {@code threads}, {@code executor}, {@code status}, {@code ui}.
 *
 * <p>Read {@code AffinityExecutorPlugin} first, then {@code AffinityDriverPlugin}.
 */
@NullMarked
package org.berth.spark;

import org.jspecify.annotations.NullMarked;
