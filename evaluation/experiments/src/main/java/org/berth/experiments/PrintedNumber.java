package org.berth.experiments;

import java.math.BigDecimal;
import java.util.Optional;

/**
 * A number as the work prints it.
 *
 * @param step between it and the next one that could have been printed: 0.1 for 12.3, 1 for 12; 0 when the text does not tell
 */
record PrintedNumber(double value, double step) {
    /** Empty for what is no number. */
    static Optional<PrintedNumber> parse(String text) {
        double value;
        try {
            value = Double.parseDouble(text);
        } catch (NumberFormatException notANumber) {
            return Optional.empty();
        }
        try {
            return Optional.of(
                    new PrintedNumber(value, new BigDecimal(text.strip()).ulp().doubleValue()));
        } catch (NumberFormatException hexadecimalOrNotFinite) {
            return Optional.of(new PrintedNumber(value, 0));
        }
    }
}
