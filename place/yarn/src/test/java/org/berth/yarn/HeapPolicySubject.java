package org.berth.yarn;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.berth.oracle.Await;

/**
 * A JVM that waits until a given number of bytes of its mappings have a memory policy, and then prints their number. The agent gives the
 * policy to one part of the heap after another, so a first mapping that has it does not mean that the others do.
 */
final class HeapPolicySubject {
    private static final Pattern PAGES = Pattern.compile(" N\\d+=(\\d+).* kernelpagesize_kB=(\\d+)");

    private HeapPolicySubject() {}

    public static void main(String[] args) {
        System.out.println(
                Await.until("the policy of the heap", () -> bytes(args[0]), bytes -> bytes >= Long.parseLong(args[1])));
    }

    private static long bytes(String policy) throws IOException {
        long bytes = 0;
        for (String line : Files.readAllLines(Path.of("/proc/self/numa_maps"))) {
            Matcher pages = PAGES.matcher(line);
            if (line.contains(" " + policy + " ") && pages.find()) {
                bytes += Long.parseLong(pages.group(1)) * Long.parseLong(pages.group(2)) * 1024;
            }
        }
        return bytes;
    }
}
