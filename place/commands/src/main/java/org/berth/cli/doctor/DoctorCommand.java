package org.berth.cli.doctor;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.berth.binding.LocalMachine;
import org.berth.binding.discovery.Discovery;
import org.berth.binding.errors.BindingException;
import org.berth.binding.internal.interrupts.InterruptBinding;
import org.berth.cli.irq.IrqCommand;
import org.berth.cli.shared.CommandException;
import org.berth.cli.shared.JsonOption;
import org.berth.cli.shared.TargetMachine;
import org.berth.cli.shared.Terminal;
import org.berth.cli.shared.arguments.PidArguments;
import org.berth.cli.shared.jvm.Jcmd;
import org.berth.cli.shared.jvm.JvmHeap;
import org.berth.observation.ObservationException;
import org.berth.observation.Reading;
import org.berth.observation.SystemFiles;
import org.berth.observation.internal.devices.InterruptCounts;
import org.berth.observation.internal.devices.InterruptMap;
import org.berth.observation.internal.jvm.AgentRules;
import org.berth.observation.internal.jvm.JvmFlags;
import org.berth.observation.internal.kernel.KernelPlacement;
import org.berth.observation.internal.kernel.KernelSettings;
import org.berth.observation.internal.kernel.ProcessScheduling;
import org.berth.observation.internal.process.ControlGroupLimits;
import org.berth.observation.internal.process.OpenFiles;
import org.berth.observation.internal.process.ProcessFacts;
import org.berth.observation.memory.MemoryLocality;
import org.berth.observation.memory.MemorySnapshot;
import org.berth.observation.memory.ProcessMemoryPolicy;
import org.berth.text.Words;
import org.berth.topology.NodeSet;
import org.berth.topology.Topology;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code berth doctor}: reports limits of placement on this machine or of a running process. */
@Command(
        name = "doctor",
        description = {
            "Report what limits placement on this machine or of a running process, and what to do.",
            "Exit code 0 without warnings and problems, otherwise 1. Nothing is changed. The flags of a JVM are read"
                    + " with a JDK's jcmd."
        },
        footer = {"", "berth doctor", "berth doctor PID", "berth doctor --json"})
public final class DoctorCommand implements Callable<Integer> {
    private static final Path ROOT = Path.of("/");
    private static final long WATCHED_NANOS = TimeUnit.SECONDS.toNanos(1);

    @Mixin
    private JsonOption json = new JsonOption();

    @Parameters(
            arity = "0..1",
            paramLabel = "PID",
            description = "A running process; for a JVM its flags are checked, too.")
    private Optional<String> pid = Optional.empty();

    private final Terminal terminal;

    public DoctorCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws InterruptedException {
        json.check("the findings");
        OptionalInt asked = pid.isPresent() ? OptionalInt.of(PidArguments.parse(pid.get())) : OptionalInt.empty();
        try {
            ProcessFacts process =
                    ProcessFacts.of(asked.orElse((int) ProcessHandle.current().pid()), ROOT);
            List<Finding> findings = examine(process, asked.isEmpty());
            if (!process.lives()) {
                // Another process may have its PID, and some findings be about that one.
                throw CommandException.failure(
                        "cannot examine: process " + process.pid() + " ended while it was examined");
            }
            String subject = asked.isEmpty()
                    ? "This machine, and the limits of a command started here:"
                    : process.name() + " (process " + process.pid() + ", "
                            + Words.count(process.masks().size(), "thread") + "):";
            json.write(
                    terminal,
                    "the findings",
                    () -> DoctorJson.render(asked, findings),
                    () -> DoctorText.render(subject, findings, terminal.columns()));
            return findings.stream().anyMatch(Finding::isWrong) ? 1 : 0;
        } catch (ObservationException e) {
            throw CommandException.failure("cannot examine: " + e.getMessage(), e);
        }
    }

    private static List<Finding> examine(ProcessFacts process, boolean self) throws InterruptedException {
        LocalMachine machine = LocalMachine.open();
        KernelSettings kernel = KernelSettings.read(ROOT);
        ControlGroupLimits limits = ControlGroupLimits.of(Long.toString(process.pid()), ROOT);
        List<Finding> findings = new ArrayList<>(LimitFindings.of(kernel, limits, process, self));
        if (self) {
            findings.addAll(LimitFindings.inherited(
                    ProcessMemoryPolicy.inherited(ROOT), Discovery.ignoredVariables(System.getenv())));
            findings.addAll(CLibraryFindings.of(new SystemFiles(ROOT)));
        }
        findings.addAll(LimitFindings.calls(process, machine.capabilities().capabilities()));
        findings.addAll(MachineFindings.of(kernel, process.cpus()));
        // The target may use CPUs that the cpuset of this process hides.
        Topology topology = TargetMachine.wholeLive().topology();
        KernelPlacement placement = KernelPlacement.read(ROOT);
        if (self) {
            findings.addAll(KernelFindings.machine(placement, topology));
        }
        boolean dataNode = DataNodeFindings.isDataNode(process);
        findings.add(DeviceInterruptFindings.shared(topology, InterruptMap.read(ROOT), dataNode));
        findings.addAll(movedInterrupts(kernel));
        if (!self) {
            findings.add(JvmFindings.masks(process));
            findings.add(locality(process, topology));
            if (dataNode) {
                findings.addAll(DataNodeFindings.of(process, OpenFiles.of(process.pid(), ROOT)));
            }
            Reading<Boolean> javaMachine = process.javaMachine();
            javaMachine.refusal().ifPresent(refusal -> findings.add(Finding.unknown("jvm", refusal)));
            if (javaMachine.orElse(false)) {
                findings.addAll(RuleFindings.of(AgentRules.of(process.pid(), ROOT), process.pid()));
                findings.addAll(jvm(process, kernel, topology));
            }
            findings.addAll(watched(process, kernel, placement, topology));
        }
        return findings;
    }

    /** What shows only after a while: the threads that run at the same time, and interrupts on the CPUs of a bound process. */
    private static List<Finding> watched(
            ProcessFacts process, KernelSettings kernel, KernelPlacement placement, Topology topology)
            throws InterruptedException {
        Reading<InterruptCounts> before = InterruptCounts.read(ROOT);
        long cpuNanos = ProcessScheduling.cpuNanos(process.pid(), ROOT);
        long start = System.nanoTime();
        TimeUnit.NANOSECONDS.sleep(WATCHED_NANOS);
        double nanos = System.nanoTime() - start;
        double busy = (ProcessScheduling.cpuNanos(process.pid(), ROOT) - cpuNanos) / nanos;
        ProcessScheduling scheduling = ProcessScheduling.of(process.pid(), ROOT).withBusyThreads(busy);
        List<Finding> findings =
                new ArrayList<>(KernelFindings.process(placement, scheduling, process, kernel.onlineCpus(), topology));
        boolean free = kernel.onlineCpus().map(process.cpus()::containsAll).orElse(false);
        if (!free) {
            findings.add(Finding.of(
                    "interrupts",
                    before.flatMap(
                            then -> InterruptCounts.read(ROOT).map(now -> now.since(then, process.cpus(), ROOT))),
                    arrivals -> InterruptFindings.of(arrivals, process.cpus(), nanos / 1e9),
                    absent -> Finding.unknown("interrupts", absent)));
        }
        return findings;
    }

    private static List<Finding> movedInterrupts(KernelSettings kernel) {
        try {
            return DeviceInterruptFindings.moved(
                    InterruptBinding.of(IrqCommand.RECORD).moved(), kernel.irqbalance());
        } catch (BindingException unreadable) {
            return List.of(Finding.unknown("moved-interrupts", String.valueOf(unreadable.getMessage())));
        }
    }

    private static Finding locality(ProcessFacts process, Topology topology) {
        NodeSet near = topology.nodesOf(process.cpus());
        try {
            MemorySnapshot memory = MemorySnapshot.of(process.pid());
            return JvmFindings.locality(process, MemoryLocality.of(memory, near), near, topology.nodeSet());
        } catch (ObservationException e) {
            return Finding.unknown("page-locality", String.valueOf(e.getMessage()));
        }
    }

    private static List<Finding> jvm(ProcessFacts process, KernelSettings kernel, Topology topology) {
        Jcmd.Answer answer = Jcmd.find().ask(process, "VM.flags");
        JvmFlags flags =
                answer.text().map(JvmFlags::ofVmFlags).orElseGet(() -> JvmFlags.ofArguments(process.arguments()));
        List<Finding> findings = new ArrayList<>(JvmFindings.of(process, flags, answer.reason(), kernel, topology));
        findings.add(HugePageFindings.jvm(
                flags, JvmHeap.ask(process), kernel.hugePages(), topology.nodesOf(process.cpus())));
        return findings;
    }
}
