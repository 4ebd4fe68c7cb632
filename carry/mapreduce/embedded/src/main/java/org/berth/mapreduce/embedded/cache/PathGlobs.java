package org.berth.mapreduce.embedded.cache;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.GlobPattern;

/** Patterns of absolute paths, matched component by component. What is below a folder that matches is named by it, too. */
public final class PathGlobs {
    /** No path. */
    public static final PathGlobs NONE = new PathGlobs(List.of());

    private static final String TEMPORARY = "_temporary";

    private final List<List<GlobPattern>> patterns = new ArrayList<>();

    /** @param globs absolute paths, in which Hadoop's wildcards may stand */
    public PathGlobs(List<String> globs) {
        for (String glob : globs) {
            List<GlobPattern> parts = new ArrayList<>();
            for (String part : components(glob)) {
                parts.add(new GlobPattern(part));
            }
            patterns.add(parts);
        }
    }

    /** Splits at commas, except in braces. */
    static List<String> split(String text) {
        List<String> result = new ArrayList<>();
        int depth = 0;
        int start = 0;
        for (int i = 0; i <= text.length(); i++) {
            char c = i == text.length() ? ',' : text.charAt(i);
            depth += c == '{' ? 1 : c == '}' ? -1 : 0;
            if (c == ',' && (depth <= 0 || i == text.length())) {
                String part = text.substring(start, i).trim();
                if (!part.isEmpty()) {
                    result.add(part);
                }
                start = i + 1;
            }
        }
        return result;
    }

    /** Whether the path, or the one that it gets by the commit of its task and job, is named. */
    boolean matches(String path) {
        if (patterns.isEmpty()) {
            return false;
        }
        List<String> parts = committed(path);
        return patterns.stream().anyMatch(pattern -> matches(pattern, parts));
    }

    private static boolean matches(List<GlobPattern> pattern, List<String> parts) {
        if (pattern.isEmpty() || pattern.size() > parts.size()) {
            return false;
        }
        for (int i = 0; i < pattern.size(); i++) {
            if (!pattern.get(i).matches(parts.get(i))) {
                return false;
            }
        }
        return true;
    }

    /** The components without those of an uncommitted attempt; a file of checksums counts as the file that it belongs to. */
    private static List<String> committed(String path) {
        List<String> parts = components(path);
        int last = parts.size() - 1;
        if (last >= 0 && isChecksum(parts.get(last))) {
            parts.set(last, parts.get(last).substring(1, parts.get(last).length() - 4));
        }
        int from = parts.indexOf(TEMPORARY);
        if (from >= 0) {
            int to = from;
            for (int i = from + 1; i < parts.size(); i++) {
                if (parts.get(i).startsWith("attempt_") || parts.get(i).startsWith("task_")) {
                    to = i;
                    break;
                }
            }
            parts.subList(from, to + 1).clear();
        }
        return parts;
    }

    static boolean isChecksum(String name) {
        return name.startsWith(".") && name.endsWith(".crc") && name.length() > 5;
    }

    private static List<String> components(String path) {
        List<String> result = new ArrayList<>();
        for (String part : path.split("/", -1)) {
            if (!part.isEmpty()) {
                result.add(part);
            }
        }
        return result;
    }
}
