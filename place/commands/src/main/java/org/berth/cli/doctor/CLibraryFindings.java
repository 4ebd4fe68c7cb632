package org.berth.cli.doctor;

import java.util.List;
import org.berth.observation.SystemFiles;

/** Two C libraries on one machine: engines choose their native parts by the files of the other one. A pure function. */
final class CLibraryFindings {
    /** The only file from which snappy-java (1.1.10, OSInfo.isX64Musl) concludes that the machine has musl. */
    private static final String MUSL = "lib/ld-musl-x86_64.so.1";

    private static final String GLIBC = "lib64/ld-linux-x86-64.so.2";

    private CLibraryFindings() {}

    /** Nothing where one C library is installed, the usual case. */
    static List<Finding> of(SystemFiles files) {
        if (!files.exists(MUSL) || !files.exists(GLIBC)) {
            return List.of();
        }
        return List.of(Finding.warning(
                "c-library",
                "musl is installed next to glibc (/" + MUSL
                        + "), so snappy-java loads its library for musl, which a JVM"
                        + " on glibc cannot: Spark writes no Parquet file with Snappy, its default",
                "remove the package musl, or give each JVM -Dorg.xerial.snappy.lib.path=DIRECTORY with the library"
                        + " of Linux/x86_64 from the jar of snappy-java"));
    }
}
