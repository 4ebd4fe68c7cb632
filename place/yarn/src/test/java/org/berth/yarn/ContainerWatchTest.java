package org.berth.yarn;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.server.nodemanager.Context;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.Container;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.ContainerState;
import org.berth.oracle.Await;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Whatever the check of a container throws, this container can be launched again, and the others are checked. */
@Timeout(240)
class ContainerWatchTest {
    /** Not even its message can be had. */
    private static final class Worst extends Error {
        private static final long serialVersionUID = 1;

        @Override
        public String getMessage() {
            throw new OutOfMemoryError("of a test");
        }
    }

    @TempDir
    private Path folder;

    private static Container container(int number, Supplier<ContainerState> state) {
        ContainerId id = ContainerId.newContainerId(
                ApplicationAttemptId.newInstance(ApplicationId.newInstance(1, 1), 1), number);
        return proxy(Container.class, method -> switch (method) {
            case "getContainerId" -> id;
            case "getContainerState" -> state.get();
            default -> throw new UnsupportedOperationException(method);
        });
    }

    private interface Answers {
        Object to(String method);
    }

    private static <T> T proxy(Class<T> type, Answers answers) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, arguments) -> answers.to(method.getName())));
    }

    @Test
    void survivesWhateverACheckThrows() {
        Configuration settings = new Configuration(false);
        settings.set(YarnSettings.LEASES, folder.toString());
        YarnFailures failures = new YarnFailures();
        Context node = proxy(Context.class, method -> {
            throw new UnsupportedOperationException(method);
        });
        ContainerWatch watch = new ContainerWatch(node, NodeManagerSetup.of(settings, failures), failures);
        AtomicInteger thrown = new AtomicInteger();
        Container bad = container(1, () -> {
            thrown.incrementAndGet();
            throw new Worst();
        });
        AtomicInteger checked = new AtomicInteger();
        Container good = container(2, () -> {
            checked.incrementAndGet();
            return ContainerState.DONE;
        });
        for (int i = 1; i <= 3; i++) {
            int times = i;
            Await.until("check " + times + " that throws", () -> {
                watch.launched(bad);
                return thrown.get() >= times;
            });
        }
        watch.launched(good);
        Await.until("the check of another container", () -> checked.get() > 0);
        assertThat(checked).hasValue(1);
    }
}
