package org.berth.mapreduce.programs.kmeans;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.apache.hadoop.io.Text;
import org.berth.mapreduce.programs.shared.Hash;

/** The numbers of a line, between commas, semicolons, spaces and tabs; the same object is used for line after line. For one thread. */
final class Row {
    /** Powers of ten that a double has exactly. */
    private static final double[] POWERS = {
        1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15
    };
    /** So many decimal digits fit into a double. */
    private static final int EXACT_DIGITS = 15;

    private double[] values = new double[16];
    private int columns;

    /** Reads a line; false when it is empty or a comment, which begins with #. */
    boolean read(Text line) {
        byte[] bytes = line.getBytes();
        int end = line.getLength();
        columns = 0;
        if (end > 0 && bytes[0] == '#') {
            return false;
        }
        int at = 0;
        while (at < end) {
            int begin = at;
            while (at < end && !isSeparator(bytes[at])) {
                at++;
            }
            if (at > begin) {
                if (columns == values.length) {
                    values = Arrays.copyOf(values, 2 * columns);
                }
                values[columns] = number(bytes, begin, at);
                columns++;
            }
            at++;
        }
        return columns > 0;
    }

    int columns() {
        return columns;
    }

    double value(int column) {
        return values[column];
    }

    double[] copy() {
        return Arrays.copyOf(values, columns);
    }

    /** Sum of squared differences, added from the first column to the last. */
    double squaredDistance(double[] centroid) {
        double sum = 0;
        for (int i = 0; i < columns; i++) {
            double difference = values[i] - centroid[i];
            sum += difference * difference;
        }
        return sum;
    }

    long hash(long seed) {
        long hash = seed;
        for (int i = 0; i < columns; i++) {
            hash = Hash.mix(hash, Double.doubleToLongBits(values[i]));
        }
        return hash;
    }

    private static boolean isSeparator(byte character) {
        return character == ',' || character == ' ' || character == '\t' || character == ';' || character == '\r';
    }

    /** Few digits are two exact doubles, so that their quotient is the nearest double; Java reads everything else. */
    private static double number(byte[] bytes, int begin, int end) {
        boolean negative = bytes[begin] == '-';
        int at = negative ? begin + 1 : begin;
        int point = -1;
        int digits = 0;
        long whole = 0;
        for (; at < end && digits <= EXACT_DIGITS; at++) {
            int digit = bytes[at] - '0';
            if (digit >= 0 && digit <= 9) {
                whole = 10 * whole + digit;
                digits++;
            } else if (bytes[at] == '.' && point < 0) {
                point = digits;
            } else {
                break;
            }
        }
        if (at == end && digits > 0 && digits <= EXACT_DIGITS) {
            double value = point < 0 ? whole : whole / POWERS[digits - point];
            return negative ? -value : value;
        }
        String text = new String(bytes, begin, end - begin, StandardCharsets.UTF_8);
        double value;
        try {
            value = Double.parseDouble(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("'" + text + "' is not a number", e);
        }
        if (!Double.isFinite(value)) {
            throw new IllegalArgumentException("'" + text + "' is not a finite number");
        }
        return value;
    }
}
