/** Guards what concerns this JVM as a whole: which copy of Berth in it may bind, and whether it may end now. */
@NullMarked
package org.berth.binding.jvm;

import org.jspecify.annotations.NullMarked;
