/** Reads the parameters of an engine from options, the environment or the table of defaults, with their numbers, sizes and times. */
@NullMarked
package org.berth.transport.settings;

import org.jspecify.annotations.NullMarked;
