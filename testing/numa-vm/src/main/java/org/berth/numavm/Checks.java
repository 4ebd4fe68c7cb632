package org.berth.numavm;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Prints "ok NAME" or "not ok NAME: reason" for each check, and counts. Not thread-safe. */
final class Checks {
    private final String prefix;
    private final Silence silence = new Silence();
    private int done;
    private final List<String> failed = new ArrayList<>();

    /** One thing that must hold; any exception says that it does not. */
    interface Check {
        void run() throws Exception;
    }

    Checks(String prefix) {
        this.prefix = prefix;
    }

    void check(String name, Check check) {
        done++;
        silence.now(name);
        try {
            check.run();
            System.out.println("ok " + prefix + name);
        } catch (Exception | AssertionError | LinkageError problem) {
            failed.add(name + ": " + problem);
            System.out.println("not ok " + prefix + name + ": " + problem);
        }
        silence.now("the end of \"" + name + "\"");
    }

    static void same(String what, Object expected, Object actual) {
        if (!Objects.equals(expected, actual)) {
            throw new AssertionError(what + " is " + actual + ", expected " + expected);
        }
    }

    static void holds(String what, boolean condition) {
        if (!condition) {
            throw new AssertionError(what);
        }
    }

    /**
     * Names the failed checks once more, because a log is often kept by its end alone. The result is the exit code of the program: 1
     * when a check failed, or there was none.
     */
    int finish() {
        failed.forEach(each -> System.out.println(prefix + "failed: " + each));
        System.out.println(prefix + done + " checks, " + failed.size() + " failed");
        return !failed.isEmpty() || done == 0 ? 1 : 0;
    }
}
