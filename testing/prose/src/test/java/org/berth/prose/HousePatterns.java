package org.berth.prose;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.berth.prose.Passage.Kind;

/** Words and phrases that the style page and the glossary forbid: one line of patterns.txt each. */
final class HousePatterns {
    private record House(String kinds, Pattern pattern, String advice) {}

    private final List<House> patterns = new ArrayList<>();

    HousePatterns() {
        for (String line : Linter.lines("patterns.txt")) {
            String[] parts = line.split("\\s+=>\\s+", 3);
            if (parts.length != 3) {
                throw new IllegalStateException("patterns.txt: KINDS => PATTERN => ADVICE, not: " + line);
            }
            patterns.add(new House(parts[0], Pattern.compile(parts[1]), parts[2]));
        }
    }

    List<Finding> check(Passage passage) {
        List<Finding> findings = new ArrayList<>();
        for (House house : patterns) {
            if (house.kinds().equals("all") || house.kinds().contains(word(passage.kind()))) {
                Matcher matcher = house.pattern().matcher(passage.text());
                while (matcher.find()) {
                    findings.add(Finding.of(passage, matcher.start(), matcher.end(), "house", house.advice()));
                }
            }
        }
        return findings;
    }

    private static String word(Kind kind) {
        return kind == Kind.INTERNAL_JAVADOC ? "javadoc" : kind.name().toLowerCase(Locale.ROOT);
    }
}
