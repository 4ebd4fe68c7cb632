/** Runs the progress threads of an engine, gives them their CPUs, and limits how many of them spin. */
@NullMarked
package org.berth.transport.internal.threads;

import org.jspecify.annotations.NullMarked;
