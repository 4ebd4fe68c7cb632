package org.berth.uploads;

import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Uploads by 1, 2, 4 … clients to one HDFS: how throughput grows with their number. */
public final class Clients {
    @Command(
            name = "Clients",
            description = "Uploads by growing numbers of clients, one file each, to show how throughput scales.")
    private static final class ClientsOptions extends HdfsJobOptions {
        /** Many clients need many files. */
        private static final int SCALE = 4;

        @Option(
                names = "--clients",
                paramLabel = "N",
                split = ",",
                defaultValue = "1,2,4,8",
                description = "Numbers of clients, one after the other (default ${DEFAULT-VALUE}).")
        private List<Integer> clients = List.of();

        ClientsOptions() {
            super(SCALE);
        }

        @Override
        List<Integer> clients() {
            return clients.stream().distinct().toList();
        }
    }

    private Clients() {}

    /** Exit code 0; with one line on standard error, 2 for a wrong command line and 1 for any other failure. */
    public static void main(String[] arguments) {
        UploadMain.run("clients", new ClientsOptions(), arguments, session -> {
            List<String> checksums = new ArrayList<>();
            for (int clients : session.options().clients()) {
                Transfers files = session.transfers(clients);
                session.uploadOf(files);
                checksums.add(files.checksum());
                files.remove();
            }
            return String.join(", ", checksums);
        });
    }
}
