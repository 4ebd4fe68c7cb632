package org.berth.cli.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The places where JVMs find their options; the script testing/command/environments shows what they do with them. */
class ArchiveFlagTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "none",
            value = {
                "java -XX:ArchiveClassesAtExit=a.jsa -cp a.jar Main | -XX:ArchiveClassesAtExit=a.jsa",
                "java -cp a.jar -Xshare:dump                        | -Xshare:dump",
                "java --module-path lib -XX:+AutoCreateSharedArchive -jar a.jar | -XX:+AutoCreateSharedArchive",
                "java -XX:AOTCacheOutput=a.aot -jar a.jar           | -XX:AOTCacheOutput=a.aot",
                "java -XX:AOTMode=create -XX:AOTCache=a.aot         | -XX:AOTMode=create",
                "java -XX:AOTMode=on -XX:AOTCache=a.aot Main        | none",
                "java -Xshare:auto -XX:SharedArchiveFile=a.jsa Main | none",
                "java -cp a.jar Main -Xshare:dump                   | none",
                "java -jar a.jar -XX:ArchiveClassesAtExit=a.jsa     | none"
            })
    void isFoundInFrontOfTheMainClass(String command, String flag) {
        assertThat(ArchiveFlag.find(List.of(command.split(" ", -1)), Map.of()).map(ArchiveFlag::word))
                .isEqualTo(Optional.ofNullable(flag));
    }

    @Test
    void theFlagIsFoundInVariablesAndFiles(@TempDir Path folder) throws IOException {
        assertThat(ArchiveFlag.find(List.of("java", "Main"), Map.of("JAVA_TOOL_OPTIONS", "-Xint\n'-Xshare:dump'")))
                .isPresent();
        Path file = Files.writeString(folder.resolve("words"), "-Xint\n-XX:ArchiveClassesAtExit=a.jsa Main\n");
        assertThat(ArchiveFlag.find(List.of("java", "@" + file), Map.of())).isPresent();
        assertThat(ArchiveFlag.find(List.of("java", "@" + folder, "@none", "Main"), Map.of()))
                .isEmpty();
    }

    @Test
    void thatRefusesAgentsAndRulesExcludeEachOther() {
        assertThat(new ArchiveFlag("-XX:AOTMode=record", false).leaves(true)).isTrue();
        assertThat(new ArchiveFlag("-Xshare:dump", true).leaves(false)).isFalse();
        assertThatThrownBy(() -> new ArchiveFlag("-Xshare:dump", true).leaves(true))
                .hasMessageContaining("-Xshare:dump");
    }
}
