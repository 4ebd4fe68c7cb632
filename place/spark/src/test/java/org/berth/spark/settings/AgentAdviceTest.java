package org.berth.spark.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.spark.SparkConf;
import org.berth.oracle.Child;
import org.berth.oracle.ChildJvm;
import org.berth.placement.AffinityLevel;
import org.berth.placement.OrderedLevel;
import org.berth.spark.conf.SparkKeys;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class AgentAdviceTest {
    private static final Optional<OrderedLevel> AUTO = Optional.empty();

    @Test
    void nothingIsSaidWhereItWouldNotHelp() {
        assertThat(AgentAdvice.advice(conf("local[4]"), AUTO)).isEmpty();
        assertThat(AgentAdvice.advice(conf("yarn"), Optional.of(OrderedLevel.of(AffinityLevel.NONE))))
                .isEmpty();
        assertThat(AgentAdvice.advice(
                        conf("spark://h:7077").set(SparkKeys.JAVA_OPTIONS, "-agentpath:/x/libberth.so=domain=numa"),
                        AUTO))
                .isEmpty();
    }

    @Test
    void eachManagerHasItsOwnWayToTheLibrary() {
        String yarn = AgentAdvice.advice(conf("yarn").set(SparkKeys.JAVA_OPTIONS, "-XX:+UseZGC"), AUTO)
                .orElseThrow();
        assertThat(yarn)
                .containsPattern("--conf spark.yarn.dist.files=/\\S+libberth\\S*\\.so#libberth\\.so ")
                .endsWith("--conf 'spark.executor.extraJavaOptions=-XX:+UseZGC"
                        + " -agentpath:./libberth.so=domain=numa'");
        assertThat(AgentAdvice.advice(conf("k8s://https://h:6443"), AUTO).orElseThrow())
                .contains("-agentpath:/opt/berth/libberth.so=domain=numa'", "of the image");
        assertThat(AgentAdvice.advice(conf("spark://h:7077"), AUTO).orElseThrow())
                .contains("of every host");
    }

    /** Starts a JVM as a cluster on this host would start an executor. */
    @Test
    void optionStartsAJvmThatIsBound() throws Exception {
        String advice = AgentAdvice.advice(conf("local-cluster[2,1,512]"), AUTO).orElseThrow();
        Matcher option = Pattern.compile("(-agentpath:\\S+)'").matcher(advice);
        assertThat(option.find()).as(advice).isTrue();
        Path leases = Files.createTempDirectory("leases");
        Child.Result jvm =
                Child.run(ChildJvm.JAVA.toString(), option.group(1) + ",verbose,strict,leases=" + leases, "-version");
        assertThat(jvm.exitCode()).as(jvm.err()).isZero();
        assertThat(jvm.err()).contains("berth: ").contains("version");
    }

    private static SparkConf conf(String master) {
        return new SparkConf(false).setMaster(master);
    }
}
