package org.berth.cli.transport;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.berth.cli.shared.CommandException;
import org.berth.cli.shared.JsonOption;
import org.berth.cli.shared.TargetMachine;
import org.berth.cli.shared.Terminal;
import org.berth.drawing.internal.text.Canvas;
import org.berth.observation.Reading;
import org.berth.placement.internal.NearestWord;
import org.berth.topology.Topology;
import org.berth.transport.ProviderStatus;
import org.berth.transport.host.AdapterChoice;
import org.berth.transport.host.HostFacts;
import org.berth.transport.host.NetworkDevice;
import org.berth.transport.host.NetworkDevices;
import org.berth.transport.settings.Parameter;
import org.berth.transport.settings.TransportSettings;
import org.berth.transport.settings.Tuning;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code berth transport}: the network adapters, the one that would be taken, and the parameters in force. */
@Command(
        name = "transport",
        description = {
            "Show what Berth's communication engine would use on this host.",
            "devices: the network adapters, the one that would be chosen and why, and the providers that work.",
            "tuning: the value of every parameter and where it comes from."
        },
        footer = {"", "berth transport devices", "berth transport tuning", "berth transport tuning --set wait=spin"})
public final class TransportCommand implements Callable<Integer> {
    private static final Path ROOT = Path.of("/");

    private final Terminal terminal;

    @Parameters(arity = "0..1", paramLabel = "devices|tuning", description = "What to show.")
    private String what = "";

    @Option(
            names = "--device",
            paramLabel = "NAME",
            description = "Network interface or RDMA device to use; default: the best one.")
    private Optional<String> device = Optional.empty();

    @Option(
            names = "--set",
            paramLabel = "KEY=VALUE",
            description = "A parameter, as an engine's configuration would set it; repeatable.")
    private List<String> set = List.of();

    @Mixin
    private JsonOption json = new JsonOption();

    public TransportCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        json.check("the result");
        Map<String, String> options = options();
        Topology topology = TargetMachine.live().topology();
        Reading<List<NetworkDevice>> devices = NetworkDevices.read(ROOT);
        String wanted = options.getOrDefault(
                Parameter.DEVICE.key(), System.getenv().getOrDefault(Parameter.DEVICE.variable(), AdapterChoice.AUTO));
        AdapterChoice choice = AdapterChoice.of(devices, wanted, topology.allowedNodeSet());
        if (choice.device().isEmpty() && !wanted.equals(AdapterChoice.AUTO)) {
            throw CommandException.failure("--device " + wanted + ": " + choice.reason());
        }
        switch (what) {
            case "devices" -> showDevices(devices, choice, topology);
            case "tuning" -> showTuning(devices, choice, options);
            case "" -> throw CommandException.usage("'berth transport' needs one more word: devices or tuning");
            default ->
                throw CommandException.usage("'" + what + "': choose devices or tuning"
                        + NearestWord.hint(what, List.of("devices", "tuning")));
        }
        return 0;
    }

    private Map<String, String> options() {
        Map<String, String> options = new LinkedHashMap<>();
        for (String word : set) {
            int equals = word.indexOf('=');
            if (equals < 0 || Parameter.of(word.substring(0, equals)).isEmpty()) {
                throw CommandException.usage(
                        "--set " + word + ": write KEY=VALUE with a key of 'berth transport tuning'");
            }
            options.put(word.substring(0, equals), word.substring(equals + 1));
        }
        device.ifPresent(name -> options.put(Parameter.DEVICE.key(), name));
        return options;
    }

    private void showDevices(Reading<List<NetworkDevice>> devices, AdapterChoice choice, Topology topology) {
        List<ProviderStatus> providers = ProviderStatus.ofHost();
        json.write(
                terminal,
                "the adapters",
                () -> TransportJson.devices(devices.orElse(List.of()), choice, topology, providers),
                () -> printable(TransportText.devices(devices, choice, topology, providers, terminal.columns())));
    }

    private void showTuning(Reading<List<NetworkDevice>> devices, AdapterChoice choice, Map<String, String> options) {
        HostFacts jvm = HostFacts.ofJvm();
        HostFacts host = new HostFacts(
                jvm.architecture(),
                jvm.cpus(),
                choice.device()
                        .map(NetworkDevice::kind)
                        .orElse(
                                devices.refusal().isPresent()
                                        ? HostFacts.DeviceKind.UNKNOWN
                                        : HostFacts.DeviceKind.NONE));
        List<Tuning.Tuned> tuned = Tuning.resolve(host, options::get, System.getenv());
        try {
            new TransportSettings("tuning", tuned);
        } catch (IllegalArgumentException wrong) {
            throw CommandException.usage(String.valueOf(wrong.getMessage()));
        }
        json.write(
                terminal,
                "the parameters",
                () -> TransportJson.tuning(host, tuned),
                () -> printable(TransportText.tuning(host, tuned, terminal.columns())));
    }

    private String printable(String text) {
        return terminal.utf8() ? text : Canvas.ascii(text);
    }
}
