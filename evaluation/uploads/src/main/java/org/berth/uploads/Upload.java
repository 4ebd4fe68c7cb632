package org.berth.uploads;

/** Several clients upload a file each to a real HDFS; what "Dynamic core affinity …" (2014) measured. */
public final class Upload {
    private Upload() {}

    /** Exit code 0, or with one line on standard error 2 for a wrong command line and 1 for any other failure. */
    public static void main(String[] arguments) {
        UploadMain.run(
                "upload",
                UploadOptions.help(
                        "Upload",
                        "Several clients upload a file each to a real HDFS; the seconds are those of the upload.",
                        UploadOptions.CLIENTS),
                arguments,
                UploadOptions.CLIENTS,
                session -> {
                    Transfers files = session.transfers(session.options().clients(0));
                    session.phase("write", files::write);
                    return files.checksum();
                });
    }
}
