package org.berth.calls;

import java.util.List;
import org.berth.jobkit.JobOptions;
import org.berth.jobkit.WayArm;
import org.berth.jobkit.WayArmConverter;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The options of every job of calls. */
@Command(footer = "Starts a server in a JVM of its own on loopback and stops it afterwards.")
abstract class CallsOptions extends JobOptions {
    private static final int MOST_HANDLERS = 1000;

    @Option(
            names = "--way",
            paramLabel = "WAY",
            defaultValue = "stock",
            converter = WayArmConverter.class,
            description = "The way of the calls: " + WayArm.WORDS
                    + ". +KEY=VALUE extends a word by berth.rpc.KEY=VALUE; +inline=true runs calls on the thread that"
                    + " received them (default ${DEFAULT-VALUE}).")
    private WayArm way = WayArm.parse("stock");

    @Option(
            names = "--payload",
            paramLabel = "P",
            defaultValue = "bytes",
            converter = PayloadConverter.class,
            description = "bytes (protobuf) or writable (BytesWritable) (default ${DEFAULT-VALUE}).")
    private Payload payload = Payload.BYTES;

    @Option(
            names = "--handlers",
            paramLabel = "N",
            defaultValue = "8",
            description = "Handlers of the server (default ${DEFAULT-VALUE}).")
    private int handlers;

    private static final class PayloadConverter implements ITypeConverter<Payload> {
        @Override
        public Payload convert(String word) {
            List<Payload> all = List.of(Payload.values());
            return all.stream()
                    .filter(payload -> payload.toString().equals(word))
                    .findFirst()
                    .orElseThrow(() -> new TypeConversionException("'" + word + "' is not one of " + all));
        }
    }

    @Override
    protected void check() {
        requireAtMost("--handlers", handlers, MOST_HANDLERS);
    }

    WayArm way() {
        return way;
    }

    Payload payload() {
        return payload;
    }

    int handlers() {
        return handlers;
    }
}
