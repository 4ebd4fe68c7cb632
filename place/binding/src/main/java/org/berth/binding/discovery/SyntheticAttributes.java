package org.berth.binding.discovery;

import java.math.BigInteger;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.berth.binding.errors.BindingException;
import org.berth.text.Words;
import org.berth.topology.type.ObjectType;
import org.jspecify.annotations.Nullable;

/** The attributes of one level of a synthetic description, {@code (memory=1GB indexes=1,0)}. */
final class SyntheticAttributes {
    private static final Pattern SIZE = Pattern.compile(
            "(?:size|memory|memorysidecachesize)=(0[xX][0-9a-fA-F]{1,40}|\\d{1,40})([kKmMgGtT]i?[bB])?");
    private static final Pattern LIST = Pattern.compile("[\\d,]+");
    private static final Pattern STEPS = Pattern.compile("[1-9]\\d*\\*[1-9]\\d*(?::[1-9]\\d*\\*[1-9]\\d*)*");
    private static final Pattern NAMES = Pattern.compile("[A-Za-z]\\w*(?::[A-Za-z]\\w*)*");
    private static final String INDEXES = "indexes=";
    private static final String UNITS = "kmgt";

    private final String target;
    /** Objects of the level. */
    private final long width;
    /** Text after {@code indexes=}; empty when there is none. */
    private final String indexes;

    SyntheticAttributes(String target, String text, long width) {
        this.target = target;
        this.width = width;
        String last = "";
        for (String word : text.isEmpty() ? new String[0] : text.split(" ")) {
            if (word.startsWith(INDEXES)) {
                last = word.substring(INDEXES.length());
            } else {
                checkSize(word);
            }
        }
        this.indexes = last;
    }

    boolean hasIndexes() {
        return !indexes.isEmpty();
    }

    private void checkSize(String word) {
        Matcher matcher = SIZE.matcher(word);
        if (!matcher.matches()) {
            throw fault("has the attribute \"" + Words.quote(word)
                    + "\"; hwloc knows sizes such as memory=1GB, and indexes=");
        }
        BigInteger bytes = number(matcher.group(1)).multiply(unit(matcher.group(2)));
        if (bytes.bitLength() >= Long.SIZE) {
            throw fault("has the size \"" + Words.quote(word) + "\", more than " + Long.MAX_VALUE + " bytes");
        }
    }

    /** hwloc reads sizes with {@code strtoull} and base 0, so 010 is 8. */
    private BigInteger number(String digits) {
        boolean hexadecimal = digits.startsWith("0x") || digits.startsWith("0X");
        boolean octal = digits.startsWith("0") && !hexadecimal;
        if (octal && !digits.matches("[0-7]+")) {
            throw fault("has the number \"" + Words.quote(digits) + "\", which is octal because it begins with 0");
        }
        return new BigInteger(hexadecimal ? digits.substring(2) : digits, hexadecimal ? 16 : octal ? 8 : 10);
    }

    private static BigInteger unit(@Nullable String name) {
        if (name == null) {
            return BigInteger.ONE;
        }
        int power = 1 + UNITS.indexOf(name.substring(0, 1).toLowerCase(Locale.ROOT));
        return BigInteger.valueOf(name.length() == 3 ? 1024 : 1000).pow(power);
    }

    /** hwloc aborts the process on loops of indexes that do not fit the levels ({@code assert}). */
    void checkIndexes(List<SyntheticDescription.Level> levels) {
        if (indexes.isEmpty()) {
            return;
        }
        if (LIST.matcher(indexes).matches()) {
            checkList();
        } else if (STEPS.matcher(indexes).matches()) {
            checkSteps();
        } else if (NAMES.matcher(indexes).matches()) {
            checkNames(levels);
        } else {
            throw fault("has the indexes \"" + Words.quote(indexes) + "\", which are no numbers, steps or levels");
        }
    }

    private void checkList() {
        String[] numbers = indexes.split(",", -1);
        if (numbers.length < width) {
            throw fault("has " + numbers.length + " indexes for " + width + " objects");
        }
        for (String number : numbers) {
            requireSmall(number);
        }
    }

    /** {@code 2*4:1*2}: loops of step and count, whose counts multiply to the number of objects or a part of it. */
    private void checkSteps() {
        long product = 1;
        for (String loop : indexes.split(":", -1)) {
            String[] factors = loop.split("\\*", 2);
            requireSmall(factors[0]);
            product *= requireSmall(factors[1]);
            if (product > width) {
                throw fault("has the indexes \"" + Words.quote(indexes) + "\", more than " + width + " objects");
            }
        }
    }

    private void checkNames(List<SyntheticDescription.Level> levels) {
        Set<ObjectType> seen = new HashSet<>();
        for (String name : indexes.split(":", -1)) {
            Optional<ObjectType> type = level(name);
            Optional<SyntheticDescription.Level> level = levels.stream()
                    .filter(one -> type.isPresent() && one.type().equals(type))
                    .findFirst();
            boolean fits = level.isPresent() && level.get().width() <= width && seen.add(type.get());
            if (!fits) {
                throw fault("has indexes by \"" + Words.quote(name) + "\", which is not a level around these objects");
            }
        }
    }

    /** hwloc never finds PUs by number, and groups not always. */
    private static Optional<ObjectType> level(String name) {
        return ObjectType.named(name)
                .filter(type -> type != ObjectType.PU)
                .filter(type -> type != ObjectType.GROUP || !Character.isDigit(name.charAt(name.length() - 1)));
    }

    private int requireSmall(String number) {
        if (number.isEmpty() || number.length() > 9 || Integer.parseInt(number) >= SyntheticDescription.MOST_OBJECTS) {
            throw fault("has the index \"" + Words.quote(number) + "\", not one between 0 and "
                    + (SyntheticDescription.MOST_OBJECTS - 1));
        }
        return Integer.parseInt(number);
    }

    private BindingException fault(String reason) {
        return SyntheticDescription.refused(target, "it " + reason);
    }
}
