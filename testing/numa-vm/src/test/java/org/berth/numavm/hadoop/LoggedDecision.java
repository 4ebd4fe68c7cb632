package org.berth.numavm.hadoop;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A line of a DataNode's decision log, as an administrator's script would read it.
 *
 * @param tid the kernel's id of the thread
 * @param cpus that it got, as a list
 * @param kind "[DS]"; "-" for no core in particular
 * @param device disk of the volume
 * @param connectionCpu the CPU that handled its connection's packets, or "-"
 */
record LoggedDecision(int tid, String cpus, String kind, String device, String connectionCpu) {
    /** The decisions for threads that receive new blocks; the last line may be on its way. */
    static List<LoggedDecision> received(Path log) throws IOException {
        String text = Files.readString(log);
        return text.substring(0, text.lastIndexOf('\n') + 1)
                .lines()
                .map(line -> line.split("\t", -1))
                .filter(part -> part[4].equals("receive"))
                .map(part -> new LoggedDecision(Integer.parseInt(part[1]), part[2], part[3], part[6], part[8]))
                .toList();
    }
}
