/** The jars for engines, as their users have them. */
@NullMarked
package org.berth.onejar;

import org.jspecify.annotations.NullMarked;
