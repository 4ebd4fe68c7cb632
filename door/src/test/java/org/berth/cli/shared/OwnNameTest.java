package org.berth.cli.shared;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.berth.oracle.Child;
import org.berth.oracle.ExecutableFolder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A line to paste starts what the user has started. */
final class OwnNameTest {
    private static final Path START = Path.of("..", "tools", "start.sh");

    @TempDir(factory = ExecutableFolder.class)
    private Path folder;

    @ParameterizedTest
    @CsvSource({
        "./berth, /usr/bin:/bin, ./berth",
        "../berth, '', ../berth",
        "my tools/berth, /usr/bin, 'my tools/berth'",
        "/opt/berth/bin/berth, /usr/bin:/opt/berth/bin/, berth",
        "/opt/berth/bin/berth, /usr/bin, /opt/berth/bin/berth",
        "berth, /usr/bin, berth"
    })
    void itIsTheWordThatWasTyped(String typed, String path, String word) {
        String quoted = word.contains(" ") ? "'" + word + "'" : word;
        assertThat(OwnName.word(typed, path)).isEqualTo(quoted);
    }

    /** The property that Java reads is what the shell was started as. */
    @Test
    void theScriptPassesOnHowItWasStarted() throws Exception {
        Path script = Files.writeString(
                folder.resolve("berth"),
                "#!/usr/bin/env bash\nself=$(readlink -f \"$0\")\nsource '" + START.toRealPath()
                        + "'\nstart_cli echo -jar x topo\n");
        assertThat(script.toFile().setExecutable(true)).isTrue();
        Child.Result result = Child.run(new ProcessBuilder("bash", "-c", "./berth").directory(folder.toFile()));
        assertThat(result.out()).as(result.err()).contains("-Dorg.berth.typed=./berth ");
    }
}
