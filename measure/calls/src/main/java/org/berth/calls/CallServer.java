package org.berth.calls;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.ipc.RPC;
import org.berth.jobkit.JobException;
import org.berth.jobkit.WayArm;

/** The server of a job, a JVM with the class path and the options of this one. Belongs to one thread. */
final class CallServer implements AutoCloseable {
    private static final String PORT = "port ";

    private final Process process;
    private final int port;

    private CallServer(Process process, int port) {
        this.process = process;
        this.port = port;
    }

    /** Returns when it listens. */
    static CallServer start(CallsOptions options) throws IOException {
        Process process = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx" + (Runtime.getRuntime().maxMemory() >> 20) + "m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        CallServer.class.getName(),
                        options.way().word(),
                        Integer.toString(options.handlers())))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        BufferedReader output = process.inputReader();
        String line = output.readLine();
        if (line == null || !line.startsWith(PORT)) {
            process.destroyForcibly();
            throw JobException.failure("the server does not start (" + line + "); the lines above tell why");
        }
        return new CallServer(process, Integer.parseInt(line.substring(PORT.length())));
    }

    int port() {
        return port;
    }

    /** Ends the server. */
    @Override
    public void close() throws IOException {
        process.getOutputStream().close();
        try {
            if (!process.waitFor(10, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    /** Serves until its input ends, which it does with the client's process. */
    public static void main(String[] arguments) throws IOException {
        RPC.Server server = Echo.server(Ways.settings(WayArm.parse(arguments[0])), Integer.parseInt(arguments[1]));
        server.start();
        System.out.printf(Locale.ROOT, PORT + "%d%n", server.getPort());
        System.out.flush();
        while (System.in.read() >= 0) {
            // Nothing is sent.
        }
        System.exit(0);
    }
}
