package org.berth.hdfs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A line of the decision log, as an administrator's script would read it. */
record DecisionLine(
        int tid, String cpus, String kind, String work, String volume, String threadName, String connectionCpu) {
    /** Whether it is for a client: the NameNode orders copies of blocks when it likes to, and those come from a DataNode. */
    boolean forClient() {
        return threadName.startsWith("DataXceiver for client DFSClient_");
    }

    /** The last line may be on its way. */
    static List<DecisionLine> readAll(Path log) throws IOException {
        String text = Files.readString(log);
        return text.substring(0, text.lastIndexOf('\n') + 1)
                .lines()
                .map(line -> line.split("\t", -1))
                .map(part -> new DecisionLine(
                        Integer.parseInt(part[1]), part[2], part[3], part[4], part[5], part[7], part[8]))
                .toList();
    }
}
