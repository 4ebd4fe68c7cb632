package org.berth.experiments;

import java.math.BigDecimal;
import java.util.Optional;

/**
 * A number as the work prints it.
 *
 * @param step between it and the next one that could have been printed: 0.1 for 12.3, 1 for 12; 0 when the text does
 * not tell
 */
public record PrintedNumber(double value, double step) {
    /** Sums of squares of larger ones overflow. */
    private static final double LARGEST = 1e100;

    /** Is empty for what is no finite number, or larger than any that is measured. */
    static Optional<PrintedNumber> parse(String text) {
        double value;
        try {
            value = Double.parseDouble(text);
        } catch (NumberFormatException notANumber) {
            return Optional.empty();
        }
        if (!(Math.abs(value) <= LARGEST)) {
            return Optional.empty();
        }
        try {
            return Optional.of(
                    new PrintedNumber(value, new BigDecimal(text.strip()).ulp().doubleValue()));
        } catch (NumberFormatException hexadecimal) {
            return Optional.of(new PrintedNumber(value, 0));
        }
    }
}
