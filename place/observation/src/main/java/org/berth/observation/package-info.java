/**
 * Reads what a process and its threads do from {@code /proc}: a {@code ThreadSampler} takes samples of threads, {@code ProcessStatus}
 * tells what the kernel says of one of them, and {@code SystemFiles} reads the small files of the kernel, whose answer is a {@code
 * Reading}: a value, that this machine does not have it, or a {@code Refusal} with its reason. The packages below add up samples and
 * read memory, JVMs, processes, the kernel's settings, devices and load.
 */
@NullMarked
package org.berth.observation;

import org.berth.observation.devices.BlockTrace;
import org.berth.observation.devices.DeviceTrace;
import org.berth.observation.devices.InterruptMap;
import org.berth.observation.devices.NetworkTrace;
import org.berth.observation.devices.RouteTable;
import org.berth.observation.internal.ProcText;
import org.berth.observation.kernel.KernelSettings;
import org.berth.observation.load.CpuTimes;
import org.berth.observation.load.LoadHistory;
import org.berth.observation.load.LoadMonitor;
import org.berth.observation.memory.HeapMemory;
import org.berth.observation.memory.HeapRange;
import org.berth.observation.memory.JvmMemory;
import org.berth.observation.memory.MemoryLocality;
import org.berth.observation.memory.MemorySnapshot;
import org.berth.observation.memory.NumaMapsLine;
import org.berth.observation.process.ControlGroupLimits;
import org.berth.observation.process.ProcessFacts;
import org.berth.observation.threads.Expectation;
import org.berth.observation.threads.MigrationCount;
import org.berth.observation.threads.MigrationCounter;
import org.berth.observation.threads.Residency;
import org.berth.observation.threads.SampleChanges;
import org.berth.observation.threads.ThreadTimeline;

import org.jspecify.annotations.NullMarked;
