package org.berth.mapreduce.programs;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.berth.oracle.Child;
import org.berth.oracle.Tool;
import org.junit.jupiter.api.Assumptions;

/** Libraries of Python that compute the same in another way. */
final class Python {
    private Python() {}

    /**
     * Standard output of a program; aborts the test when no Python of this machine has its libraries.
     *
     * @param libraries names with commas between them
     */
    static List<String> lines(String libraries, String program, Path... files) {
        // Debian's packages belong to its own Python; another one may be the first of the path.
        for (String python : List.of("/usr/bin/python3", "python3")) {
            if (Tool.find(python).isPresent()
                    && Child.run(python, "-c", "import " + libraries).exitCode() == 0) {
                Stream<String> words = Stream.of(files).map(Path::toString);
                return Tool.output(Stream.concat(Stream.of(python, "-c", program), words)
                                .toArray(String[]::new))
                        .lines()
                        .toList();
            }
        }
        return Assumptions.abort("no Python with " + libraries + ": apt-get install python3-sklearn python3-networkx");
    }
}
