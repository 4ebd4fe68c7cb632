import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import org.apache.spark.SecurityManager;
import org.apache.spark.SparkConf;
import org.apache.spark.deploy.k8s.KubernetesExecutorConf;
import org.apache.spark.deploy.k8s.SparkPod;
import org.apache.spark.launcher.JavaModuleOptions;
import org.apache.spark.resource.ResourceProfile;
import org.apache.spark.resource.ResourceProfile$;
import org.apache.spark.scheduler.cluster.k8s.KubernetesExecutorBuilder;
import scala.Option;

/**
 * Prints the pod that Spark's own code makes for an executor from system properties with Spark's settings, the template included.
 * No API server is asked: the client reads the template, which is a file.
 */
public final class ExecutorPod {
    private ExecutorPod() {}

    public static void main(String[] arguments) {
        SparkConf conf = new SparkConf(true);
        // A SparkContext adds these to what the user gives.
        conf.set(
                "spark.executor.extraJavaOptions",
                conf.get("spark.executor.extraJavaOptions", "") + " " + JavaModuleOptions.defaultModuleOptions());
        ResourceProfile profile = ResourceProfile$.MODULE$.getOrCreateDefaultProfile(conf);
        KubernetesExecutorConf executor =
                new KubernetesExecutorConf(conf, conf.get("spark.app.id"), arguments[0], Option.empty(), profile.id());
        SecurityManager security =
                new SecurityManager(conf, Option.empty(), SecurityManager.$lessinit$greater$default$3());
        try (KubernetesClient client = new KubernetesClientBuilder().withConfig(Config.empty()).build()) {
            SparkPod pod = new KubernetesExecutorBuilder()
                    .buildFromFeatures(executor, security, client, profile)
                    .pod();
            System.out.println(Serialization.asYaml(forPodman(pod)));
        }
    }

    /** Podman 4.3 gives a pod in the host's network neither ports nor an address nor a name that resolves, and would remove its first container early. */
    private static Pod forPodman(SparkPod pod) {
        return new PodBuilder(pod.pod())
                .editMetadata()
                .addToAnnotations("io.podman.annotations.init.container.type", "always")
                .endMetadata()
                .editSpec()
                .withHostNetwork(true)
                .addToContainers(new ContainerBuilder(pod.container())
                        .withPorts()
                        .removeMatchingFromEnv(variable -> variable.getName().equals("SPARK_EXECUTOR_POD_IP"))
                        .addToEnv(
                                new EnvVar("SPARK_EXECUTOR_POD_IP", "127.0.0.1", null),
                                new EnvVar("SPARK_LOCAL_IP", "127.0.0.1", null))
                        .build())
                .endSpec()
                .build();
    }
}
