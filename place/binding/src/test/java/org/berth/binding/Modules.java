package org.berth.binding;

import java.io.File;
import java.util.Arrays;
import java.util.stream.Collectors;

/** What of the class path of the tests is a module of Berth or jspecify, as a module path. */
final class Modules {
    static final String ENTRIES =
            ".*/(jspecify|berth-(text|topology|observation|placement|native|binding))-[^/]*\\.jar|.*/place/\\w+/target/classes";

    private Modules() {}

    static String path() {
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .filter(entry -> entry.matches(ENTRIES))
                .collect(Collectors.joining(File.pathSeparator));
    }
}
