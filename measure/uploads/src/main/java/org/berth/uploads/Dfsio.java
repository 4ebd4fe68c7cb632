package org.berth.uploads;

import picocli.CommandLine.Command;

/** Files written and then read, with the figures of Hadoop's TestDFSIO: throughput, and mean and deviation over clients. */
public final class Dfsio {
    @Command(
            name = "Dfsio",
            description = "Clients write one file each to a real HDFS and read it back; reports the figures of"
                    + " TestDFSIO.")
    static final class DfsioOptions extends FileOptions {}

    private Dfsio() {}

    /** Exit code 0; with one line on standard error, 2 for a wrong command line and 1 for any other failure. */
    public static void main(String[] arguments) {
        UploadMain.run("dfsio", new DfsioOptions(), arguments, session -> {
            Transfers files = session.transfers(session.clients());
            session.phase("write", files::write);
            session.phase("read", files::read);
            return files.checksum();
        });
    }
}
