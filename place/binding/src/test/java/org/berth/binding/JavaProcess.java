package org.berth.binding;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.berth.oracle.Child;
import org.berth.oracle.ChildJvm;

/** A JVM that runs a main class of the tests under -Xcheck:jni; any complaint of that check is a failure. */
public record JavaProcess(ChildJvm jvm) {
    public static JavaProcess of(Class<?> main, String... arguments) {
        return new JavaProcess(ChildJvm.of(main, arguments)
                .with("-Xcheck:jni", "-Xshare:auto", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
    }

    public JavaProcess under(String... command) {
        return under(List.of(command));
    }

    /** The command in front of java, such as taskset -c 0. */
    public JavaProcess under(List<String> command) {
        return new JavaProcess(jvm.under(command));
    }

    public JavaProcess option(String option) {
        return new JavaProcess(jvm.with(option));
    }

    public JavaProcess environment(String name, String value) {
        return new JavaProcess(jvm.environment(name, value));
    }

    public JavaProcess environment(Map<String, String> variables) {
        JavaProcess all = this;
        for (Map.Entry<String, String> variable : variables.entrySet()) {
            all = all.environment(variable.getKey(), variable.getValue());
        }
        return all;
    }

    public JavaProcess classPath(String path) {
        return new JavaProcess(jvm.classPath(path));
    }

    Child start() {
        return jvm.start();
    }

    /** Standard output of a run that ended well. */
    public String run() {
        Child.Result result = jvm.run();
        assertThat(result.out() + result.err())
                .as("-Xcheck:jni has nothing to say")
                .doesNotContain("WARNING in native method", "FATAL ERROR in native method", "WARNING: JNI");
        return result.output();
    }
}
