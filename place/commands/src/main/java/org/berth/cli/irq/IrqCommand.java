package org.berth.cli.irq;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.berth.binding.errors.BindingException;
import org.berth.binding.internal.interrupts.InterruptBinding;
import org.berth.cli.shared.CommandException;
import org.berth.cli.shared.JsonOption;
import org.berth.cli.shared.TargetMachine;
import org.berth.cli.shared.Terminal;
import org.berth.cli.shared.arguments.OptionRule;
import org.berth.cli.shared.arguments.OptionRules;
import org.berth.drawing.internal.interrupts.InterruptTable;
import org.berth.drawing.internal.text.Canvas;
import org.berth.observation.ProcessStatus;
import org.berth.observation.Reading;
import org.berth.observation.internal.devices.InterruptMap;
import org.berth.observation.internal.kernel.KernelSettings;
import org.berth.placement.internal.dynamic.InterruptMove;
import org.berth.placement.internal.dynamic.InterruptSpread;
import org.berth.text.WordWrap;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code berth irq}: shows the CPUs that handle interrupts of disks and network adapters, and separates them. */
@Command(
        name = "irq",
        description = {
            "Show which CPUs handle the interrupts of disks and network adapters.",
            "With --spread (as root), move those of disks and those of network adapters to different packages;"
                    + " --restore restores the previous CPUs. Without either option nothing is changed."
        },
        footer = {"", "berth irq", "berth irq --spread --dry-run", "berth irq --spread", "berth irq --restore"})
public final class IrqCommand implements Callable<Integer>, OptionRules {
    private static final Path ROOT = Path.of("/");
    private static final int EIO = 5;
    /** A reboot deletes this file, and undoes the moves. */
    public static final Path RECORD = Path.of("/run/berth-interrupts");

    private final Terminal terminal;

    @Option(
            names = "--spread",
            description = "Move interrupts of disks and network adapters to different packages; only as root.")
    private boolean spread;

    @Option(names = "--restore", description = "Undo --spread; only as root.")
    private boolean restore;

    @Option(
            names = {"-n", "--dry-run"},
            description = "Print what --spread would do, and change nothing.")
    private boolean dryRun;

    @Option(
            names = "--record",
            paramLabel = "FILE",
            description = "File with the previous CPUs; default: /run/berth-interrupts, which a reboot deletes.")
    private Path record = RECORD;

    @Mixin
    private JsonOption json = new JsonOption();

    public IrqCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public List<OptionRule> optionRules() {
        return List.of(OptionRule.excludes("--spread", "--restore", ""), OptionRule.needs("--dry-run", "--spread", ""));
    }

    @Override
    public Integer call() {
        json.check("the interrupts");
        InterruptBinding binding = InterruptBinding.of(record);
        if (restore) {
            requireRoot("restore interrupts");
            return report(List.of(), binding.restore(), List.of());
        }
        if (!spread) {
            return report(List.of(), List.of(), List.of());
        }
        InterruptSpread plan = InterruptSpread.of(TargetMachine.wholeLive().topology(), InterruptMap.read(ROOT));
        if (!dryRun && !plan.moves().isEmpty()) {
            requireRoot("move interrupts");
        }
        List<String> notes = new ArrayList<>(plan.notes());
        Reading<Boolean> irqbalance = KernelSettings.read(ROOT).irqbalance();
        irqbalance
                .refusal()
                .ifPresent(refusal -> notes.add(
                        "whether irqbalance runs, and may undo this within seconds, is not known: " + refusal));
        if (irqbalance.orElse(false)) {
            notes.add("irqbalance runs and may undo this within seconds: stop it, or set IRQBALANCE_BANNED_CPULIST");
        }
        List<InterruptOutcome> outcomes = new ArrayList<>();
        for (InterruptMove move : plan.moves()) {
            outcomes.add(
                    dryRun ? new InterruptOutcome(move, InterruptOutcome.Result.PLANNED, "") : move(binding, move));
        }
        if (outcomes.stream().anyMatch(outcome -> outcome.result() == InterruptOutcome.Result.MANAGED)) {
            notes.add("a managed interrupt belongs to one queue, whose CPUs the kernel chose when the driver started:"
                    + " requests of threads on these CPUs complete there, so bind threads to these CPUs instead");
        }
        return report(outcomes, List.of(), notes);
    }

    private static InterruptOutcome move(InterruptBinding binding, InterruptMove move) {
        try {
            binding.move(move.interrupt().number(), move.interrupt().action(), move.to());
            return new InterruptOutcome(move, InterruptOutcome.Result.MOVED, "");
        } catch (BindingException refused) {
            String problem = String.valueOf(refused.getMessage());
            return new InterruptOutcome(
                    move,
                    refused.errno() == EIO ? InterruptOutcome.Result.MANAGED : InterruptOutcome.Result.FAILED,
                    problem);
        }
    }

    private int report(List<InterruptOutcome> outcomes, List<String> restored, List<String> known) {
        InterruptMap now = InterruptMap.read(ROOT);
        List<String> notes = new ArrayList<>(known);
        now.unread().ifPresent(refusal -> notes.add("devices or interrupts may be missing: " + refusal));
        json.write(terminal, "the interrupts", () -> InterruptJson.render(now, outcomes, restored, notes), () -> {
            StringBuilder out = new StringBuilder();
            if (restore && restored.isEmpty()) {
                out.append("No interrupt was moved since the last boot, according to ")
                        .append(record)
                        .append(".\n");
            }
            restored.forEach(line -> WordWrap.append(out, "", line, terminal.columns()));
            outcomes.forEach(outcome -> WordWrap.append(out, "", outcome.words(), terminal.columns()));
            notes.forEach(note -> WordWrap.append(out, "Note: ", note, terminal.columns()));
            if (!spread && !restore) {
                out.append(InterruptTable.render(now, terminal.columns()));
            }
            String text = out.toString();
            return terminal.utf8() ? text : Canvas.ascii(text);
        });
        return outcomes.stream().anyMatch(outcome -> outcome.result() == InterruptOutcome.Result.FAILED) ? 1 : 0;
    }

    private static void requireRoot(String what) {
        Optional<Long> user =
                ProcessStatus.read(ProcessHandle.current().pid()).value().flatMap(ProcessStatus::effectiveUserId);
        // One who is not known is told by the kernel.
        if (user.orElse(0L) == 0) {
            return;
        }
        throw CommandException.failure(
                "cannot " + what + ": EPERM (only root may write /proc/irq/*/smp_affinity_list);" + " run it as root");
    }
}
