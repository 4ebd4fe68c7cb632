package org.berth.observation.internal.process;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.berth.observation.Reading;
import org.berth.observation.SystemFiles;

/**
 * The processes that a process has started. Each of its threads lists its own in {@code /proc/PID/task/TID/children}, which a kernel
 * without CONFIG_PROC_CHILDREN lacks: the whole process table is read there. Thread-safe: it has no state.
 *
 * @see <a href="https://man7.org/linux/man-pages/man5/proc_pid_task.5.html">proc_pid_task(5)</a>
 * @since 0.1.0
 */
public final class ChildProcesses {
    private ChildProcesses() {}

    /** Those that live now; absent when the process has ended, refused when its threads may not be seen. */
    public static Reading<List<Integer>> of(long pid) {
        SystemFiles files = SystemFiles.LIVE;
        String tasks = "proc/" + pid + "/task";
        return files.numbered(tasks, "").flatMap(tids -> {
            List<Integer> children = new ArrayList<>();
            boolean listed = false;
            for (int tid : tids) {
                String file = tasks + "/" + tid + "/children";
                Reading<String> text = files.read(file);
                if (text.refusal().isPresent()) {
                    return Reading.refused(text.refusal().get());
                }
                listed |= text.value().isPresent();
                Stream.of(text.orElse("").split("\\s+", -1))
                        .filter(child -> !child.isEmpty())
                        .forEach(child -> children.add(Integer.valueOf(child)));
            }
            return Reading.of(listed ? children : fromTable(pid));
        });
    }

    private static List<Integer> fromTable(long pid) {
        return ProcessHandle.of(pid).stream()
                .flatMap(ProcessHandle::children)
                .map(child -> (int) child.pid())
                .toList();
    }
}
