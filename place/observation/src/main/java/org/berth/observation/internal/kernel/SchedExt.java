package org.berth.observation.internal.kernel;

import java.nio.file.Path;
import java.util.Optional;
import org.berth.observation.Reading;
import org.berth.observation.SystemFiles;

/**
 * The class of schedulers that are loaded as BPF programs (sched_ext, Linux 6.12 and later), as {@code /sys/kernel/sched_ext}
 * reports it. Any user may read it. Immutable.
 *
 * @param state enabled, disabled, enabling or disabling
 * @param scheduler name that the loaded scheduler gave itself, such as {@code layered}; empty when none is loaded
 * @param all whether it schedules every thread of the normal policies; otherwise only threads with the policy SCHED_EXT
 * @see <a href="https://docs.kernel.org/scheduler/sched-ext.html">Extensible Scheduler Class</a>
 * @since 0.1.0
 */
public record SchedExt(Reading<String> state, Optional<String> scheduler, boolean all) {
    private static final String FOLDER = "sys/kernel/sched_ext/";

    /** Reads that of this machine ({@code /}), or of a recorded one. */
    public static SchedExt read(Path root) {
        SystemFiles files = new SystemFiles(root);
        return new SchedExt(
                files.read(FOLDER + "state"),
                files.read(FOLDER + "root/ops").value().filter(name -> !name.isEmpty()),
                files.number(FOLDER + "switch_all").orElse(0) == 1);
    }

    /** Whether a scheduler is loaded. */
    public boolean active() {
        return !state.orElse("disabled").equals("disabled");
    }

    /** Whether a scheduler is loaded and has taken all threads of the normal policies. */
    public boolean takesAll() {
        return active() && all;
    }
}
