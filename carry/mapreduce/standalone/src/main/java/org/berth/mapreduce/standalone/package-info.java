/** The program that {@code berth mapreduce} starts. */
@NullMarked
package org.berth.mapreduce.standalone;

import org.jspecify.annotations.NullMarked;
