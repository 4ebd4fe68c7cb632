package org.berth.binding.internal;

import java.util.Optional;

/** Processor architectures that native code is built for, with the names that others give them. */
public enum Architecture {
    X86_64("amd64", "x86_64", "2.17"),
    AARCH64("aarch64", "aarch64", "2.34"),
    PPC64LE("ppc64le", "ppc64le", "2.34"),
    RISCV64("riscv64", "riscv64", "2.38");

    /** The remedy elsewhere. */
    public static final String SUPPORTED =
            "Berth discovers and binds on Linux on x86_64, aarch64, ppc64le and riscv64; elsewhere"
                    + " TopologyXml.parse reads a machine that was written there";

    /** Value of the system property os.arch. */
    private final String osArch;

    /** Name in the kernel (uname -m) and in the folders of berth-native. */
    private final String machine;

    /** The oldest glibc that our library and our copy of hwloc load with. */
    private final String hwlocGlibc;

    Architecture(String osArch, String machine, String hwlocGlibc) {
        this.osArch = osArch;
        this.machine = machine;
        this.hwlocGlibc = hwlocGlibc;
    }

    /** The architecture of this JVM; empty on others than Linux or where nothing is built. */
    public static Optional<Architecture> current() {
        if (!"Linux".equals(System.getProperty("os.name"))) {
            return Optional.empty();
        }
        String osArch = System.getProperty("os.arch");
        for (Architecture one : values()) {
            if (one.osArch.equals(osArch)) {
                return Optional.of(one);
            }
        }
        return Optional.empty();
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

    public String hwlocGlibc() {
        return hwlocGlibc;
    }
}
