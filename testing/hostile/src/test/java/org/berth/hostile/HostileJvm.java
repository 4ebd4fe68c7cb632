package org.berth.hostile;

import java.util.Random;

/** A JVM that starts and ends threads with odd names all the time, stops itself, and exits when nobody expects it: SEED. */
final class HostileJvm {
    private static final String[] NAMES = {
        "\u001b[2J",
        "a\nb",
        "\"x\" #1 prio=5 os_prio=0 nid=0xffffffffffffffff runnable",
        "\u202e",
        "",
        " ",
        "%s%n",
        "@gc"
    };

    private HostileJvm() {}

    public static void main(String[] arguments) throws Exception {
        Random random = new Random(Long.parseLong(arguments[0]));
        System.out.println("ready");
        for (int moments = random.nextInt(200); moments > 0; moments--) {
            for (int i = random.nextInt(20); i > 0; i--) {
                int millis = random.nextInt(50);
                Thread thread = new Thread(() -> sleep(millis), NAMES[random.nextInt(NAMES.length)]);
                thread.setDaemon(true);
                thread.start();
            }
            if (random.nextInt(100) == 0) {
                // Somebody wakes it, or ends it.
                new ProcessBuilder(
                                "kill",
                                "-STOP",
                                Long.toString(ProcessHandle.current().pid()))
                        .start()
                        .waitFor();
            }
            sleep(random.nextInt(10));
        }
        Runtime.getRuntime().halt(random.nextInt(3));
    }

    private static void sleep(int millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
