package org.berth.uploads;

import java.util.ArrayList;
import java.util.List;

/** Uploads by 1, 2, 4 … clients to one HDFS: how throughput grows with their number. */
public final class Clients {
    private static final String NUMBERS = "1,2,4,8";

    private Clients() {}

    /** Exit code 0, or with one line on standard error 2 for a wrong command line and 1 for any other failure. */
    public static void main(String[] arguments) {
        UploadMain.run(
                "clients",
                UploadOptions.help(
                        "Clients",
                        "Uploads by so many clients, then by so many, each a file: how throughput grows with them.",
                        NUMBERS),
                arguments,
                NUMBERS,
                session -> {
                    List<String> checksums = new ArrayList<>();
                    for (int i = 0; i < session.options().clients().size(); i++) {
                        Transfers files = session.transfers(session.options().clients(i));
                        session.uploadOf(files);
                        checksums.add(files.checksum());
                        files.remove();
                    }
                    return String.join(", ", checksums);
                });
    }
}
