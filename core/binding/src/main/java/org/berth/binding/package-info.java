/**
 * Make it so: discover the machine that this JVM runs on, and bind its threads, processes and memory.
 *
 * <pre>{@code
 * LocalMachine machine = LocalMachine.open();
 * System.out.println(machine.capabilities()); // what works here, and why the rest does not
 * Binder binder = machine.binder();
 * CpuSet core = machine.topology().objects(ObjectType.CORE).get(0).cpuSet();
 * NodeSet near = machine.topology().nodesNear(core);
 * ByteBuffer buffer = binder.allocate(1 << 20, new MemoryPolicy(MemoryMode.BIND, near));
 * try (BoundScope bound = binder.bindThread(core)) {
 *     work(buffer); // on that core, with memory near it; the old mask comes back at the end
 * }
 * }</pre>
 *
 * <p>Nothing leaves the CPUs and memory nodes that the process was given, and nothing fails silently: a
 * {@link org.berth.binding.BindingException} says what was tried, on what, why it failed and what to do.
 */
@NullMarked
package org.berth.binding;

import org.jspecify.annotations.NullMarked;
