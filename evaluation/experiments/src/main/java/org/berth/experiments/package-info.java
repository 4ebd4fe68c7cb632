@NullMarked
package org.berth.experiments;

import org.jspecify.annotations.NullMarked;
