package org.berth.jobkit;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads the option {@code --way} of a job. */
public final class WayArmConverter implements ITypeConverter<WayArm> {
    /** Made by picocli. */
    public WayArmConverter() {}

    @Override
    public WayArm convert(String word) {
        try {
            return WayArm.parse(word);
        } catch (JobException e) {
            throw new TypeConversionException(e.getMessage());
        }
    }
}
