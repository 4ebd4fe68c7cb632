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
 * <p>A good order to read the code in:
 *
 * <ol>
 *   <li>The machine: {@code LocalMachine}, {@code Discovery}, {@code BindingCapabilities}.
 *   <li>The library: {@code NativeLibrary} unpacks it ({@code NativeFiles}), {@code internal.NativeBridge} has its functions.
 *   <li>The own process: {@code Binder} over {@code ThreadMasks}, {@code ThreadBinding}, {@code ProcessBinding},
 *       {@code MemoryPolicies} and {@code RangeMemory}; {@code SlotBinder} for the threads of a pool.
 *   <li>Other processes: {@code LiveProcess} with {@code BindingRecords}; {@code InterruptBinding} for interrupts.
 *   <li>Processes that share a host: {@code Leases}, {@code Lease}.
 *   <li>Processes to be started: {@code AgentOptions}, {@code ExecWords}, {@code DomainRequest}.
 *   <li>Ids of Java threads: {@code JavaThreadIds}, {@code ThreadPrint}.
 * </ol>
 *
 * <p>Nothing leaves the CPUs and memory nodes that the process was given, and nothing fails silently: a
 * {@link org.berth.binding.BindingException} says what was tried, on what, why it failed and what to do.
 */
@NullMarked
package org.berth.binding;

import org.jspecify.annotations.NullMarked;
