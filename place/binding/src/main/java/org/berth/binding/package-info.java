/**
 * Opens the machine that this JVM runs on, and binds its threads, its memory and live processes. Start with {@code LocalMachine}, which
 * gives the topology, the capabilities and a {@code Binder}; a {@code SlotBinder} serves the threads of a pool, and a {@code
 * LiveProcess} is bound from outside.
 */
@NullMarked
package org.berth.binding;

import org.jspecify.annotations.NullMarked;
