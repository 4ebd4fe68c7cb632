/** The small tools of every SVG and HTML output: escaped markup, text and layout blocks. Pure. */
@NullMarked
package org.berth.drawing.internal.svg;

import org.jspecify.annotations.NullMarked;
