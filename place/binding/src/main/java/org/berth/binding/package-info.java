/**
 * Opens the machine that this JVM runs on, and binds its threads, its memory and live processes. Start with {@code LocalMachine}, which
 * gives the topology, the capabilities and a {@code Binder}; a {@code SlotBinder} serves the threads of a pool, and a {@code
 * LiveProcess} is bound from outside.
 */
@NullMarked
package org.berth.binding;

import org.berth.binding.discovery.Discovery;
import org.berth.binding.internal.ids.JavaThreadIds;
import org.berth.binding.internal.ids.ThreadPrint;
import org.berth.binding.interrupts.InterruptBinding;
import org.berth.binding.launch.AgentOptions;
import org.berth.binding.launch.DomainRequest;
import org.berth.binding.launch.ExecWords;
import org.berth.binding.leases.Lease;
import org.berth.binding.leases.Leases;
import org.berth.binding.library.NativeFiles;
import org.berth.binding.library.NativeLibrary;
import org.berth.binding.records.BindingRecords;

import org.jspecify.annotations.NullMarked;
