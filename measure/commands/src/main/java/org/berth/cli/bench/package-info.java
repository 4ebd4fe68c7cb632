/** Compares arms of a job that comes with Berth: {@code berth bench}. Each kind of work is a class of its own; {@code jobs} knows the jobs. */
@NullMarked
package org.berth.cli.bench;

import org.jspecify.annotations.NullMarked;
