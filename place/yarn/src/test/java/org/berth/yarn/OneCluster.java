package org.berth.yarn;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Objects;
import org.apache.hadoop.util.VersionInfo;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** One cluster for all test classes of this JVM: the first that needs it starts it, and it ends with the JVM's last test. */
final class OneCluster implements BeforeAllCallback {
    private @Nullable SharedCluster cluster;

    @Override
    public void beforeAll(ExtensionContext context) {
        Assumptions.assumeFalse(
                VersionInfo.getVersion().startsWith("3.4.") && Runtime.version().feature() >= 24,
                "Hadoop 3.4 calls Subject.getSubject, which JDK 24 and later refuse");
        cluster = context.getRoot()
                .getStore(ExtensionContext.Namespace.create(OneCluster.class))
                .computeIfAbsent(SharedCluster.class, any -> start(), SharedCluster.class);
    }

    private static SharedCluster start() {
        try {
            return SharedCluster.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    SharedCluster cluster() {
        return Objects.requireNonNull(cluster);
    }
}
