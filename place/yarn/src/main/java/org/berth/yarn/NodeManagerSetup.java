package org.berth.yarn;

import java.nio.file.Path;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.nodemanager.util.NodeManagerHardwareUtils;
import org.berth.binding.LocalMachine;
import org.berth.binding.internal.library.NativeLibrary;
import org.berth.binding.leases.Leases;
import org.berth.yarn.YarnSettings.Way;

/** Makes what a NodeManager needs to give its containers binder. */
final class NodeManagerSetup {
    private static final String SANDBOX = "yarn.nodemanager.runtime.linux.sandbox-mode";

    private NodeManagerSetup() {}

    /** @throws RuntimeException one line, when a setting makes no sense or this machine cannot be read */
    static ContainerBinder of(Configuration configuration, YarnFailures failures) {
        YarnSettings.unknown(configuration).forEach(line -> AffinityListener.LOG.warn("Berth: {}", line));
        YarnSettings settings = YarnSettings.of(configuration);
        Host host = Host.of(LocalMachine.open().topology());
        int vcores = Math.max(1, NodeManagerHardwareUtils.getVCores(configuration));
        DomainChoice choice = new DomainChoice(host, vcores, settings.domain());
        Leases ledger = settings.leases().isEmpty() ? Leases.ofHost() : Leases.at(Path.of(settings.leases()));
        // Makes the folder: commands of containers look for it.
        int held = ledger.list().size();
        String launcher = settings.launcher().isEmpty()
                ? YarnSettings.requirePlain(
                        YarnSettings.LAUNCHER, NativeLibrary.launcher().toString())
                : settings.launcher();
        LaunchCommand command = new LaunchCommand(
                launcher,
                YarnSettings.requirePlain(
                        YarnSettings.LEASES, ledger.directory().toString()),
                settings.memory(),
                settings.heapMemory(),
                library(settings),
                settings.exclusive(),
                settings.strict());
        AffinityListener.LOG.info(
                "Berth: {}; memory {}{}, {}, {} leases in {}, launched by {}",
                choice.describe(),
                settings.memory().word(),
                settings.heapMemory().map(heap -> ", heap " + heap).orElse(""),
                settings.exclusive() ? "exclusively" : "shared when all are taken",
                held,
                ledger.directory(),
                launcher);
        ledger.unseen()
                .ifPresent(reason -> AffinityListener.LOG.warn(
                        "Berth: containers get domains by the load of the CPUs, and none exclusively: {}", reason));
        boolean sandbox = !configuration.getTrimmed(SANDBOX, "disabled").equals("disabled");
        if (settings.heapMemory().isPresent() && (sandbox || settings.way() == Way.OUTSIDE)) {
            AffinityListener.LOG.warn(
                    "Berth: containers are bound from outside only, so {} has no effect", YarnSettings.HEAP_MEMORY);
        }
        warnOfOthers(configuration, sandbox);
        return new ContainerBinder(settings, choice, command, ledger, sandbox, failures);
    }

    /** The library next to the launcher that an administrator installed; else the one of the jar. */
    private static Optional<String> library(YarnSettings settings) {
        if (settings.heapMemory().isEmpty()
                || (settings.library().isEmpty() && !settings.launcher().isEmpty())) {
            return Optional.empty();
        }
        return Optional.of(
                settings.library().isEmpty()
                        ? YarnSettings.requirePlain(
                                YarnSettings.LIBRARY, NativeLibrary.file().toString())
                        : settings.library());
    }

    private static void warnOfOthers(Configuration configuration, boolean sandbox) {
        if (sandbox) {
            AffinityListener.LOG.warn(
                    "Berth: {} reads the commands of containers, so that they are bound from outside only", SANDBOX);
        }
        if (YarnConfiguration.numaAwarenessEnabled(configuration)) {
            AffinityListener.LOG.warn(
                    "Berth: {} binds containers too, and each container then gets a domain inside what it chose: turn one off",
                    YarnConfiguration.NM_NUMA_AWARENESS_ENABLED);
        }
    }
}
