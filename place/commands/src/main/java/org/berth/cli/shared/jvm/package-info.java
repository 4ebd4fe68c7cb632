/** Asks running JVMs through jcmd for thread names and the heap, and tells which huge pages a heap needs. */
@NullMarked
package org.berth.cli.shared.jvm;

import org.jspecify.annotations.NullMarked;
