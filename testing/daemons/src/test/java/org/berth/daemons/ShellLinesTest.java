package org.berth.daemons;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the pages tell an administrator to write into hadoop-env.sh and yarn-env.sh. */
@Timeout(120)
@Tag("one-jdk")
class ShellLinesTest {
    @ParameterizedTest
    @ValueSource(strings = {"hdfs.md", "yarn.md"})
    void putsAllJarsBehindWhatIsOnTheClassPath(String page, @TempDir Path jars) throws Exception {
        Path one = Files.createFile(jars.resolve("berth-a.jar"));
        Path other = Files.createFile(jars.resolve("berth-b.jar"));
        String line = Page.of(page).commands("## Set up", "HADOOP_CLASSPATH");
        assertThat(line).contains("/opt/berth/lib");

        ShellLines lines =
                new ShellLines("HADOOP_CLASSPATH=/etc/other\n" + line.replace("/opt/berth/lib", jars.toString()));

        assertThat(lines.parts("HADOOP_CLASSPATH")).containsExactly("/etc/other", one.toString(), other.toString());
    }

    @Test
    void givesEachDaemonOneOption() throws Exception {
        ShellLines lines = new ShellLines(Page.of("yarn.md").commands("## Set up", "HDFS_NAMENODE_OPTS"));
        String agent = "-agentpath:/opt/berth/lib/libberth.so=domain=";

        assertThat(lines.words("HDFS_NAMENODE_OPTS"))
                .singleElement()
                .asString()
                .startsWith(agent)
                .endsWith(",name=namenode");
        assertThat(lines.words("YARN_NODEMANAGER_OPTS"))
                .singleElement()
                .asString()
                .startsWith(agent)
                .endsWith(",name=nodemanager");
    }

    @Test
    void appendsTheOptionOfTheOlderHadoop() throws Exception {
        String text = Page.of("yarn.md").commands("## Set up", "YARN_RESOURCEMANAGER_OPTS");
        ShellLines lines = new ShellLines("YARN_RESOURCEMANAGER_OPTS=-Xmx1g\n" + text);

        String opens = "--add-opens=java.base/java.lang=ALL-UNNAMED";
        assertThat(lines.words("YARN_RESOURCEMANAGER_OPTS")).containsExactly("-Xmx1g", opens);
        assertThat(lines.words("YARN_NODEMANAGER_OPTS")).containsExactly(opens);
    }
}
