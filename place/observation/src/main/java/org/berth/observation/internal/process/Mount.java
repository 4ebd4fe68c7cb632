package org.berth.observation.internal.process;

import java.nio.file.Path;
import java.util.Optional;
import org.berth.observation.Reading;
import org.berth.observation.SystemFiles;

/**
 * A line of /proc/self/mountinfo.
 *
 * @param device "MAJOR:MINOR" of the file system
 * @param top the folder of the file system that is seen there, "/" for all of it
 * @param point where it is mounted
 * @param type "ext4"
 * @param source "/dev/sda1", or what the file system calls itself
 * @param options of the file system, between commas
 */
public record Mount(String device, String top, String point, String type, String source, String options) {
    /**
     * The mount that holds a path: the longest point above it, and of several on one point the last, which hides
     * others.
     */
    public static Reading<Mount> of(Path path, SystemFiles files) {
        return files.read("proc/self/mountinfo").flatMap(text -> of(path, text));
    }

    private static Reading<Mount> of(Path path, String mountinfo) {
        Mount best = null;
        for (String line : mountinfo.split("\n", -1)) {
            Optional<Mount> mount = parse(line);
            if (mount.isPresent() && isAbove(mount.get().point, path.toString())) {
                best = best == null || mount.get().point.length() >= best.point.length() ? mount.get() : best;
            }
        }
        return best == null ? Reading.absent("/proc/self/mountinfo shows no mount of " + path) : Reading.of(best);
    }

    /**
     * Compares strings, because the mount point may have letters that the locale lacks and is then not a valid path in
     * Java.
     */
    private static boolean isAbove(String point, String path) {
        String start = point.endsWith("/") ? point : point + "/";
        return path.equals(point) || path.startsWith(start);
    }

    private static Optional<Mount> parse(String line) {
        // A number of optional fields comes before the dash.
        int dash = line.indexOf(" - ");
        String[] words = line.split(" ", -1);
        String[] tail = dash < 0 ? new String[0] : line.substring(dash + 3).split(" ", -1);
        return words.length < 6 || tail.length < 3
                ? Optional.empty()
                : Optional.of(new Mount(
                        words[2], unescaped(words[3]), unescaped(words[4]), tail[0], unescaped(tail[1]), tail[2]));
    }

    /** The value of an option such as "upperdir=/x". */
    public Optional<String> option(String name) {
        for (String option : options.split(",", -1)) {
            if (option.startsWith(name + "=")) {
                return Optional.of(unescaped(option.substring(name.length() + 1)));
            }
        }
        return Optional.empty();
    }

    /** Blanks, tabs, line ends and backslashes are written as octal numbers. */
    private static String unescaped(String text) {
        StringBuilder plain = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) == '\\' && text.substring(i + 1).matches("(?s)[0-3][0-7]{2}.*")) {
                plain.append((char) Integer.parseInt(text.substring(i + 1, i + 4), 8));
                i += 3;
            } else {
                plain.append(text.charAt(i));
            }
        }
        return plain.toString();
    }
}
