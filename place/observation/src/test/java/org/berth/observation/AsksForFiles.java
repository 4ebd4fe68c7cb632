package org.berth.observation;

/** Prints for each file whether it has a value, is absent, or is refused, with the reason. */
public final class AsksForFiles {
    private AsksForFiles() {}

    public static void main(String[] files) {
        for (String file : files) {
            System.out.println(SystemFiles.LIVE
                    .read(file)
                    .<String>fold(text -> "value", absent -> "absent: " + absent, refusal -> "refused: " + refusal));
        }
    }
}
