/**
 * Discovers the machine that this JVM runs on, and binds its threads, processes and memory.
 *
 * <pre>{@code
 * LocalMachine machine = LocalMachine.open();
 * System.out.println(machine.capabilities()); // what works here, and why the rest does not
 * Binder binder = machine.binder();
 * CpuSet core = machine.topology().allowedCores().get(0);
 * NodeSet near = machine.topology().nodesOf(core);
 * try (BoundScope bound = binder.bindThread(core);
 *         NativeMemory memory = binder.allocate(1 << 20, new MemoryPolicy(MemoryMode.BIND, near))) {
 *     work(memory.buffer()); // on that core, with memory near it; the old mask comes back at the end
 * }
 * }</pre>
 *
 * <p>Read {@code LocalMachine}, {@code Binder}, {@code SlotBinder} and {@code LiveProcess} first. The packages below
 * discover the machine, and keep records and leases.
 *
 * <p>Nothing leaves the CPUs and memory nodes that the process was given, and nothing fails silently: a
 * {@link org.berth.binding.errors.BindingException} says what was tried, on what, why it failed and what to do.
 */
@NullMarked
package org.berth.binding;

import org.jspecify.annotations.NullMarked;
