package org.berth.transport.internal.ucx;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;
import org.berth.binding.errors.BindingException;
import org.berth.binding.internal.library.HostCalls;
import org.berth.binding.internal.library.NativeLibrary;
import org.jspecify.annotations.Nullable;

/** Whether this host and this class path have a UCX that works together. Knows no class of jucx. */
public final class UcxLibrary {
    private static final String JUCX_CLASS = "org.openucx.jucx.ucp.UcpContext";
    private static final String JUCX_POM = "META-INF/maven/org.openucx/jucx/pom.properties";
    private static final String INSTALL = "install the host's UCX (Debian: libucx0)";

    private UcxLibrary() {}

    /** What was found. */
    public record Check(String version, String reason) {
        public boolean works() {
            return reason.isEmpty();
        }
    }

    /**
     * Loads the host's library, but nothing of jucx.
     *
     * <p>Versions: jucx 1.15 and older work with UCX 1.13 and newer; jucx 1.16 and newer passes constants that an older UCX does
     * not know, and needs its own version or a newer one. Measured with jucx 1.12 to 1.19 and UCX 1.13.1 and 1.20.1.
     */
    public static Check check() {
        int[] jucx = jucxVersion();
        if (jucx == null) {
            return new Check("", "jucx is not on the class path: add org.openucx:jucx");
        }
        try {
            prepare();
        } catch (BindingException e) {
            return new Check("", String.valueOf(e.getMessage()));
        }
        int[] ucp;
        try {
            ucp = HostCalls.loadUcp();
        } catch (UnsatisfiedLinkError | RuntimeException e) {
            return new Check("", "libucp.so.0 cannot be loaded: " + INSTALL);
        }
        String found = ucp[0] + "." + ucp[1] + "." + ucp[2];
        int[] needed = number(jucx) <= number(new int[] {1, 15}) ? new int[] {1, 13} : jucx;
        return number(ucp) >= number(needed)
                ? new Check(found, "")
                : new Check(
                        found,
                        "UCX " + found + " is too old for jucx " + jucx[0] + "." + jucx[1] + ", which needs "
                                + needed[0] + "." + needed[1] + ": " + INSTALL + " or take an older jucx");
    }

    private static void prepare() {
        NativeLibrary.load();
        // Else UCX replaces the JVM's handler of SIGSEGV when it is loaded, by which the JVM finds null pointers.
        HostCalls.setEnvironment("UCX_ERROR_SIGNALS", "");
        // UCX 1.13 ends the process (an assertion in ucp_request.c) when it gives up a peer that never answered, after
        // 30 seconds. A peer that dies the TCP connection of the link tells, or its silence.
        HostCalls.setEnvironment("UCX_UD_TIMEOUT", "1440m");
        // It prints to standard output, among others a warning for each version of jucx that is not its own; failures
        // reach the callbacks anyway.
        HostCalls.setEnvironment("UCX_LOG_LEVEL", "fatal");
    }

    private static int number(int[] version) {
        return version[0] * 1000 + version[1];
    }

    private static int @Nullable [] jucxVersion() {
        ClassLoader loader = UcxLibrary.class.getClassLoader();
        try (InputStream pom = loader.getResourceAsStream(JUCX_POM)) {
            Class<?> found = Class.forName(JUCX_CLASS, false, loader);
            // Its jar has no name as a module that a descriptor could require.
            UcxLibrary.class.getModule().addReads(found.getModule());
            if (pom == null) {
                return null;
            }
            Properties properties = new Properties();
            properties.load(pom);
            String[] words = properties.getProperty("version", "0.0").split("[.-]", -1);
            return new int[] {Integer.parseInt(words[0]), Integer.parseInt(words[1])};
        } catch (IOException | ClassNotFoundException | NumberFormatException e) {
            return null;
        }
    }
}
