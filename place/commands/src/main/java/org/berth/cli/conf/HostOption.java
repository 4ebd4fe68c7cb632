package org.berth.cli.conf;

import java.util.Optional;
import org.berth.cli.shared.TargetMachine;
import org.berth.topology.Topology;
import picocli.CommandLine.Option;

/** The host that settings are printed for. */
final class HostOption {
    @Option(
            names = "--topology",
            paramLabel = "FILE|SYNTHETIC",
            description = "A host of the cluster instead of this machine: hwloc XML ('-' reads standard input) or a"
                    + " synthetic description.")
    private Optional<String> input = Optional.empty();

    Topology topology() {
        return TargetMachine.load(input).topology();
    }
}
