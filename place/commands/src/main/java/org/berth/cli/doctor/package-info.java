/**
 * {@code berth doctor}: what limits placement on this machine or in a JVM. {@code …Findings} judge, purely; the command
 * reads.
 */
@NullMarked
package org.berth.cli.doctor;

import org.jspecify.annotations.NullMarked;
