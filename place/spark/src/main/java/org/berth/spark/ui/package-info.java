/**
 * The tab "Affinity" of Spark's web UI, and the same as JSON: pure functions of a {@code ClusterStatus}, except for the two
 * classes that attach them to Spark's pages.
 *
 * <p>Read {@code UiTab} and {@code UiPage} (Spark's side), {@code UiContent} and {@code UiHost} (the page),
 * {@code UiMachine} and {@code UiOccupation} (the picture of a machine), and {@code UiJson}.
 */
@NullMarked
package org.berth.spark.ui;

import org.jspecify.annotations.NullMarked;
