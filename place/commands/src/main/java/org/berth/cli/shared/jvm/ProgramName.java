package org.berth.cli.shared.jvm;

import java.util.List;
import org.berth.observation.internal.jvm.JvmOptions;
import org.berth.observation.internal.process.ProcessFacts;
import org.berth.text.ForeignText;

/** What people call a process: the main class or jar of a JVM, otherwise the kernel's name. A pure function. */
public final class ProgramName {
    private static final String JAR = "-jar";

    private ProgramName() {}

    /** The name of a process. */
    public static String of(ProcessFacts process) {
        // The maps of another user's JVM may not be read, and its command line may.
        return process.javaMachine().orElse(true) ? ofJvm(process) : process.name();
    }

    private static String ofJvm(ProcessFacts process) {
        List<String> words = process.arguments();
        int main = 1 + JvmOptions.of(words).size();
        if (main < words.size() && words.get(main).equals(JAR)) {
            main++;
            return main < words.size() ? after('/', words.get(main)) : process.name();
        }
        if (main >= words.size() || !words.get(0).matches("(.*/)?java")) {
            return process.name();
        }
        return after('.', after('/', words.get(main)));
    }

    private static String after(char separator, String text) {
        return ForeignText.clean(text.substring(text.lastIndexOf(separator) + 1));
    }
}
