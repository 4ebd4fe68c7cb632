@NullMarked
package org.berth.binding;

import org.jspecify.annotations.NullMarked;
