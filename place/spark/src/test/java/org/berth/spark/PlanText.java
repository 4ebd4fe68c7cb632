package org.berth.spark;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A plan for tasks, one slot for each CPU, written by hand. */
final class PlanText {
    private PlanText() {}

    static Path write(Path folder, String... cpus) throws IOException {
        StringBuilder text = new StringBuilder("berth-plan 1\nlevel pu\nmemory local\n");
        text.append("allowed ").append(String.join(",", cpus)).append("\noversubscribed no\n");
        for (int i = 0; i < cpus.length; i++) {
            text.append("slot index=%d worker=0 thread=%d role=task cpus=%s nodes= reason=for a test\n"
                    .formatted(i, i, cpus[i]));
        }
        return Files.writeString(folder.resolve("plan"), text);
    }
}
