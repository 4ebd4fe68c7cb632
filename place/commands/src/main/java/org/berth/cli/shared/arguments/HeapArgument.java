package org.berth.cli.shared.arguments;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.berth.cli.shared.CommandException;
import org.berth.placement.internal.shape.ShapeRequest;

/** The value of {@code --heap}: the heap of all processes together, or a share of the memory of each part. */
public final class HeapArgument {
    private static final Pattern SIZE = Pattern.compile("(\\d{1,12})([kmgt]?)b?");
    private static final Pattern PERCENT = Pattern.compile("([1-9]\\d{0,2})%");
    private static final String UNITS = "kmgt";

    private HeapArgument() {}

    /** The request with this heap, if the option is given; a usage error for a text that is neither a size nor a share. */
    public static ShapeRequest on(ShapeRequest request, Optional<String> text) {
        return text.map(given -> on(request, given)).orElse(request);
    }

    private static ShapeRequest on(ShapeRequest request, String text) {
        Matcher percent = PERCENT.matcher(text);
        if (percent.matches() && Integer.parseInt(percent.group(1)) <= 100) {
            return request.withHeapPercent(Integer.parseInt(percent.group(1)));
        }
        Matcher size = SIZE.matcher(text.toLowerCase(Locale.ROOT));
        if (size.matches()) {
            int shift = size.group(2).isEmpty() ? 0 : 10 * (UNITS.indexOf(size.group(2)) + 1);
            long bytes = Long.parseLong(size.group(1));
            if (bytes > 0 && bytes <= Long.MAX_VALUE >> shift) {
                return request.withHeapBytes(bytes << shift);
            }
        }
        throw CommandException.usage(
                "--heap " + text + ": give the total heap of all processes, such as 96g or 512m, or a percentage of"
                        + " the memory from 1% to 100%");
    }
}
