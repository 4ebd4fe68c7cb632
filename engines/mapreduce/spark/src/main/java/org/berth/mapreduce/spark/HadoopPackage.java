package org.berth.mapreduce.spark;

import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.util.List;
import org.apache.hadoop.mapred.Task;

/**
 * Puts Berth's classes in Hadoop's package next to Hadoop's own. An executor loads the jars that came with the application by
 * another loader than Hadoop, and package-private members are visible to classes of the same loader only.
 */
final class HadoopPackage {
    private static final List<String> NAMES = List.of("BerthUmbilical", "BerthAccess", "BerthAccess$LocalCache");

    private HadoopPackage() {}

    static void complete() throws IOException, IllegalAccessException {
        ClassLoader hadoop = Task.class.getClassLoader();
        ClassLoader own = HadoopPackage.class.getClassLoader();
        if (hadoop == own) {
            return;
        }
        MethodHandles.Lookup lookup = MethodHandles.privateLookupIn(Task.class, MethodHandles.lookup());
        for (String name : NAMES) {
            String file = "org/apache/hadoop/mapred/" + name + ".class";
            if (hadoop != null && hadoop.getResource(file) != null) {
                continue;
            }
            try (InputStream in = own.getResourceAsStream(file)) {
                if (in == null) {
                    throw new IOException(file + " is missing next to " + HadoopPackage.class.getName());
                }
                lookup.defineClass(in.readAllBytes());
            } catch (LinkageError e) {
                // Another application in this JVM was first.
            }
        }
    }
}
