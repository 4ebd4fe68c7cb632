package org.berth.experiments;

/**
 * What the verdicts of an experiment claim.
 *
 * @param margin relative difference that does not matter, between 0 and 1: two arms that differ by less are the same
 * @param family how many experiments share the 5 % in which any verdict "faster" or "slower" may be wrong: the parts of a study
 */
public record Claims(double margin, int family) {
    /** A margin of 2 %, and an experiment that stands alone. */
    public static final Claims USUAL = new Claims(Verdict.MARGIN, 1);

    /** Requires a margin between 0 and 1, and a family of at least 1. */
    public Claims {
        if (!(margin > 0 && margin < 1)) {
            throw new IllegalArgumentException("the margin must be between 0 and 1, not " + margin);
        }
        if (family < 1) {
            throw new IllegalArgumentException("a family has at least one experiment, not " + family);
        }
    }

    /** Another margin. */
    public Claims withMargin(double newMargin) {
        return new Claims(newMargin, family);
    }

    /** Another family. */
    public Claims withFamily(int newFamily) {
        return new Claims(margin, newFamily);
    }
}
