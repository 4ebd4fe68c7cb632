/**
 * Tests of programs that bind, without the hardware: machines in pure Java, on any operating system, that record who was bound where
 * and refuse on demand.
 *
 * <pre>{@code
 * FakeMachine machine = FakeMachine.of("pack:8 [numa] core:4 pu:2");
 * new Engine(machine).start();
 * assertEquals(CpuSet.of(0, 1), machine.bound("worker-0"));
 * }</pre>
 */
@NullMarked
package org.berth.testing;

import org.jspecify.annotations.NullMarked;
