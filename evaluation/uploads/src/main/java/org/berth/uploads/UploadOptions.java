package org.berth.uploads;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/**
 * What the user asked for.
 *
 * @param arm how the DataNodes are set up
 * @param clients that work at a time, each on a file of its own; several numbers for one after the other
 * @param megabytes size of each file
 * @param dataNodes how many
 * @param replicas of each block
 * @param folder below which the files of HDFS go, in a new folder that is removed
 */
record UploadOptions(Arm arm, List<Integer> clients, int megabytes, int dataNodes, int replicas, Path folder) {
    /** Of the paper's file of 2.7 GB, the hundredth part. */
    private static final int MEGABYTES_PER_SCALE = 27;

    private static final String POLICY = "BERTH_HDFS_POLICY";

    private static final int MOST_CLIENTS = 1000;

    /** Unless the job is about their number. */
    static final String CLIENTS = "2";

    /** With which of Berth's hooks the DataNodes run. */
    enum Arm {
        /** None: Hadoop as it is. */
        STOCK,
        /** All, and they place nothing. */
        NONE,
        /** The policies of {@code berth.hdfs.policy}. */
        NODE,
        PAPER;

        String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    UploadOptions {
        clients = List.copyOf(clients);
    }

    /** What {@code --help} prints. */
    static String help(String job, String what, String defaultClients) {
        String several = isList(defaultClients) ? ",N" : "";
        return String.format(Locale.ROOT, """
                Usage: java -cp 'evaluation/uploads/target/uploads/lib/*' org.berth.uploads.%s [OPTIONS]

                %s
                Starts a NameNode and DataNodes of its own on loopback and stops them afterwards.

                  --policy P      stock (Hadoop as it is), none, node, paper; default: $BERTH_HDFS_POLICY, else stock
                  --clients N%s     clients at a time, each with a file of its own (default %s)
                  --scale N       size of each file in units of 27 MB; 100 is the 2.7 GB of the paper (default %d)
                  --datanodes N   DataNodes (2)
                  --replicas N    replicas of each block, at most the DataNodes (all of them, up to 3)
                  --dir DIR       where HDFS keeps its files meanwhile (the folder for temporary files)
                  --prepare       only check the options
                  --verbose       the stack trace of a failure
                """, job, what, several, defaultClients, scale(defaultClients))
                .replace("N,N     ", "N,N   ");
    }

    /**
     * Of the words of a command line.
     *
     * @param defaultClients several numbers when the job takes several
     * @throws IllegalArgumentException one line, for a wrong command line
     */
    static UploadOptions parse(List<String> words, Map<String, String> environment, String defaultClients) {
        Arm arm = arm(environment.getOrDefault(POLICY, Arm.STOCK.word()), POLICY);
        List<Integer> clients = clients(defaultClients, true);
        int scale = scale(defaultClients);
        int dataNodes = 2;
        int replicas = 0;
        Path folder = Path.of(System.getProperty("java.io.tmpdir"));
        Deque<String> rest = new ArrayDeque<>(words);
        while (!rest.isEmpty()) {
            String option = rest.pop();
            if (rest.isEmpty()) {
                throw new IllegalArgumentException(
                        "unknown option '" + option + "', or its value is missing; see --help");
            }
            String value = rest.pop();
            switch (option) {
                case "--policy" -> arm = arm(value, option);
                case "--clients" -> clients = clients(value, isList(defaultClients));
                case "--scale" -> scale = number(option, value, 10_000);
                case "--datanodes" -> dataNodes = number(option, value, 50);
                case "--replicas" -> replicas = number(option, value, 50);
                case "--dir" -> folder = Path.of(value);
                default -> throw new IllegalArgumentException("unknown option '" + option + "'; see --help");
            }
        }
        if (!Files.isDirectory(folder) || !Files.isWritable(folder)) {
            throw new IllegalArgumentException("--dir " + folder + ": it is no folder that can be written");
        }
        if (replicas > dataNodes) {
            throw new IllegalArgumentException("--replicas " + replicas + ": there are " + dataNodes + " DataNodes");
        }
        return new UploadOptions(
                arm,
                clients,
                scale * MEGABYTES_PER_SCALE,
                dataNodes,
                replicas == 0 ? Math.min(3, dataNodes) : replicas,
                folder);
    }

    /** One of the numbers of clients. */
    int clients(int index) {
        return clients.get(index);
    }

    /** Many clients need many files. */
    private static int scale(String defaultClients) {
        return isList(defaultClients) ? 4 : 10;
    }

    private static boolean isList(String text) {
        return text.indexOf(',') >= 0;
    }

    private static List<Integer> clients(String text, boolean several) {
        if (!several || !isList(text)) {
            return List.of(number("--clients", text, MOST_CLIENTS));
        }
        return Stream.of(text.split(",", -1))
                .map(one -> number("--clients", one, MOST_CLIENTS))
                .distinct()
                .toList();
    }

    private static Arm arm(String word, String where) {
        for (Arm arm : Arm.values()) {
            if (arm.word().equals(word)) {
                return arm;
            }
        }
        throw new IllegalArgumentException(where + " is '" + word + "': choose stock, none, node or paper");
    }

    private static int number(String option, String value, int most) {
        int number;
        try {
            number = Integer.parseInt(value);
        } catch (NumberFormatException e) {
            number = 0;
        }
        if (number < 1 || number > most) {
            throw new IllegalArgumentException(option + " is '" + value + "': give a number from 1 to " + most);
        }
        return number;
    }
}
