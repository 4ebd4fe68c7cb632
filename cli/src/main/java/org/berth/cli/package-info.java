@NullMarked
package org.berth.cli;

import org.jspecify.annotations.NullMarked;
