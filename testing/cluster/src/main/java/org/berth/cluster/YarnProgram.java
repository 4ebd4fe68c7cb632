package org.berth.cluster;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;

/**
 * Runs a {@link YarnCluster} until its standard input ends, for programs whose own class path has another Hadoop, such as Spark's. The
 * settings of clients lie in {@code conf} of its folder when it prints a line.
 */
final class YarnProgram {
    private YarnProgram() {}

    public static void main(String[] arguments) throws IOException {
        Path folder = Path.of(arguments[0]);
        List<String> small = List.of("-Xmx192m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");
        try (YarnCluster cluster =
                YarnCluster.start(Files.createDirectories(folder.resolve("cluster")), small, Map.of(), Map.of())) {
            Configuration client = new Configuration(false);
            cluster.client().forEach(entry -> client.set(entry.getKey(), entry.getValue()));
            Path conf = Files.createDirectories(folder.resolve("conf"));
            for (String file : List.of("core-site.xml", "yarn-site.xml")) {
                try (OutputStream out = Files.newOutputStream(conf.resolve(file))) {
                    client.writeXml(out);
                }
            }
            System.out.println("up");
            System.in.transferTo(OutputStream.nullOutputStream());
        }
    }
}
