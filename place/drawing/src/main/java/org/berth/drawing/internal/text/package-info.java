/** What drawings as text are made of: names of hardware ({@link Labels}), axes, colours, a canvas of characters. Pure. */
@NullMarked
package org.berth.drawing.internal.text;

import org.jspecify.annotations.NullMarked;
