package org.berth.cli.conf;

import static org.assertj.core.api.Assertions.assertThat;

import org.berth.cli.CommandLines;
import org.berth.oracle.Child.Result;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HdfsConfTest {
    private static final String TWO_NODES = "pack:2 [numa(memory=64GB)] l3:1 core:8 pu:2";

    @Test
    void printsPropertiesThatAParserReads() throws Exception {
        Result result = CommandLines.run("conf", "hdfs", "--policy", "node", "--topology", TWO_NODES);
        assertThat(result.err()).isEmpty();
        assertThat(result.exitCode()).isZero();
        assertThat(YarnConfTest.properties(result.out()))
                .containsEntry("dfs.datanode.plugins", "org.berth.hdfs.HdfsAffinityPlugin")
                .containsEntry("dfs.datanode.fsdataset.volume.choosing.policy", "org.berth.hdfs.AffinityVolumePolicy")
                .containsEntry("dfs.datanode.fsdataset.factory", "org.berth.hdfs.AffinityDatasetFactory")
                .containsEntry("berth.hdfs.policy", "node")
                .hasSize(4);
        assertThat(result.out())
                .contains("export HADOOP_CLASSPATH=\"$HADOOP_CLASSPATH:/opt/berth/lib/*\"", "all 2 NUMA nodes")
                .doesNotContain("-agentpath");
    }

    @Test
    void aDomainBindsTheJvm() {
        Result result = CommandLines.run(
                "conf",
                "hdfs",
                "--domain",
                "numa",
                "--memory",
                "bind",
                "--library",
                "/b/x.so",
                "--topology",
                TWO_NODES);
        assertThat(result.out())
                .contains("export HDFS_DATANODE_OPTS=\"-agentpath:/b/x.so=domain=numa,name=datanode,memory=bind"
                        + " $HDFS_DATANODE_OPTS\"")
                .contains("$HADOOP_CLASSPATH:/b/*")
                .contains("every host must have /b/x.so");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            --policy nodes     | --policy 'nodes': choose from interrupt, node, none
            --memory bind      | --memory needs --domain DOMAIN
            --domain die       | --domain 'die' is not one of numa, package, l3, core:K
            --domain core:99   | --domain core:99: there are 16 cores
            --library a=b      | --library a=b: give an absolute path
            """)
    void mistakes(String options, String message) {
        String[] words = ("conf hdfs --topology | " + options).split(" +");
        words[3] = TWO_NODES;
        Result result = CommandLines.run(words);
        assertThat(result.err()).startsWith("berth: " + message).hasLineCount(1);
        assertThat(result.exitCode()).isEqualTo(2);
    }
}
