/**
 * The small tools of every text output: names and sizes of hardware ({@link Labels}), tables, word wrap, a canvas of
 * characters. Pure.
 */
@NullMarked
package org.berth.drawing.internal.text;

import org.jspecify.annotations.NullMarked;
