package org.berth.uploads;

import picocli.CommandLine.Command;

/** Several clients upload a file each to a real HDFS; what "Dynamic core affinity …" (2014) measured. */
public final class Upload {
    @Command(
            name = "Upload",
            description = "Several clients upload one file each to a real HDFS; the seconds cover the upload only.")
    static final class UploadOptions extends FileOptions {}

    private Upload() {}

    /** Exit code 0; with one line on standard error, 2 for a wrong command line and 1 for any other failure. */
    public static void main(String[] arguments) {
        UploadMain.run("upload", new UploadOptions(), arguments, session -> {
            Transfers files = session.transfers(session.clients());
            session.phase("write", files::write);
            return files.checksum();
        });
    }
}
