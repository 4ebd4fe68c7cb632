/** {@code berth watch}: shows where the threads of a process run, live and as a timeline. */
@NullMarked
package org.berth.cli.watch;

import org.jspecify.annotations.NullMarked;
