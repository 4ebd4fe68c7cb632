package org.berth.binding.internal;

import java.util.Arrays;
import java.util.Optional;

/** Processor architectures that native code is built for, with the names that others give them. */
public enum Architecture {
    X86_64("amd64", "x86_64", "x64", "2.28"),
    AARCH64("aarch64", "aarch64", "arm64", "2.34"),
    PPC64LE("ppc64le", "ppc64le", "ppc64le", "2.34"),
    RISCV64("riscv64", "riscv64", "riscv64", "2.38");

    /** The remedy elsewhere. */
    public static final String SUPPORTED =
            "Berth discovers and binds on Linux on x86_64, aarch64, ppc64le and riscv64; elsewhere"
                    + " TopologyXml.parse reads a machine that was written there";

    /** Value of the system property os.arch. */
    private final String osArch;

    /** Name in the kernel (uname -m) and in the folders of berth-native. */
    private final String machine;

    /** Name in the folders of LWJGL's jars. */
    private final String lwjgl;

    /** The oldest glibc that LWJGL's libraries load with, which is newer than what ours need. */
    private final String lwjglGlibc;

    Architecture(String osArch, String machine, String lwjgl, String lwjglGlibc) {
        this.osArch = osArch;
        this.machine = machine;
        this.lwjgl = lwjgl;
        this.lwjglGlibc = lwjglGlibc;
    }

    /** The architecture of this JVM; empty on others than Linux or where nothing is built. */
    public static Optional<Architecture> current() {
        if (!"Linux".equals(System.getProperty("os.name"))) {
            return Optional.empty();
        }
        String osArch = System.getProperty("os.arch");
        return Arrays.stream(values()).filter(a -> a.osArch.equals(osArch)).findFirst();
    }

    /** "Linux amd64", for messages. */
    public static String describeCurrent() {
        return System.getProperty("os.name") + " " + System.getProperty("os.arch");
    }

    /** Folder of the native files in jars and of an installed Berth. */
    public String folder() {
        return "linux-" + machine;
    }

    public String berthResource(String fileName) {
        return "META-INF/native/" + folder() + "/" + fileName;
    }

    public String lwjglGlibc() {
        return lwjglGlibc;
    }

    public String lwjglResource(String path) {
        return "linux/" + lwjgl + "/org/lwjgl/" + path;
    }
}
