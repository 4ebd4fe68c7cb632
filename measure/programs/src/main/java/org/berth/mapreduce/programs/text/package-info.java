/** Texts of any size as Hadoop's sort reads them. */
@org.jspecify.annotations.NullMarked
package org.berth.mapreduce.programs.text;
