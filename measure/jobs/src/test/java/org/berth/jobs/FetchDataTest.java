package org.berth.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What fetch-data does without a network; what it fetches is checked by the script itself. */
class FetchDataTest {
    @TempDir
    Path folder;

    @Test
    void namesWhatIsMissingWhenThereIsNoSource() throws Exception {
        Path data = folder.resolve("data");

        assertThat(fetchData(data.toString())).isEqualTo(1);
        assertThat(Files.readString(folder.resolve("err")))
                .isEqualTo("berth: fetching the digits data set from scikit-learn's package …\n"
                        + "berth: cannot fetch the digits data set. From pypi: python3 is not installed."
                        + " From debian: apt-get is not installed."
                        + " Install python3-pip, or give a table of your own with --input FILE.\n");
        assertThat(data).isEmptyDirectory();
    }

    @Test
    void doesNotTakeADamagedFileForTheData() throws Exception {
        Path damaged = Files.writeString(folder.resolve("digits.csv.gz"), "damaged");

        assertThat(fetchData(folder.toString())).isEqualTo(1);
        assertThat(Files.readString(folder.resolve("err"))).startsWith("berth: " + damaged + " is damaged");
    }

    @Test
    void explainsItsUse() throws Exception {
        assertThat(fetchData()).isEqualTo(2);
        assertThat(Files.readString(folder.resolve("err"))).isEqualTo("berth: usage: fetch-data FOLDER\n");
    }

    /** On a search path with the basic tools alone. */
    private int fetchData(String... arguments) throws IOException, InterruptedException {
        Path tools = Files.createDirectory(folder.resolve("tools"));
        for (String tool : List.of("gzip", "mkdir", "mktemp", "rm", "tail")) {
            Files.createSymbolicLink(tools.resolve(tool), find(tool));
        }
        Path script = Path.of("fetch-data").toAbsolutePath();
        ProcessBuilder builder = new ProcessBuilder(
                Stream.concat(Stream.of(find("bash").toString(), script.toString()), Stream.of(arguments))
                        .toList());
        builder.environment().put("PATH", tools.toString());
        return builder.redirectError(folder.resolve("err").toFile()).start().waitFor();
    }

    private static Path find(String tool) {
        return Stream.of("/usr/bin", "/bin")
                .map(bin -> Path.of(bin, tool))
                .filter(Files::isExecutable)
                .findFirst()
                .orElseThrow();
    }
}
