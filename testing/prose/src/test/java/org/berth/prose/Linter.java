package org.berth.prose;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.berth.prose.Passage.Kind;
import org.languagetool.JLanguageTool;
import org.languagetool.Languages;
import org.languagetool.rules.Rule;
import org.languagetool.rules.RuleMatch;
import org.languagetool.rules.spelling.SpellingCheckRule;

/** Grammar, spelling and length of sentences, then the project's own patterns. One thread may use it. */
final class Linter {
    /** The style page wants 25; longer ones are read twice. */
    static final int LONGEST_SENTENCE = 40;

    private static final Pattern SENTENCE_END = Pattern.compile("(?<=[.?!:;])\\s+|\n\n");
    private static final Pattern WORD = Pattern.compile("\\S*[\\p{L}\\p{N}]\\S*");
    /** A word that is no part of the name of a file, a function or an option. */
    private static final Pattern PLAIN_WORD = Pattern.compile(
            "(?<![\\w./:@=#%+$-])[A-Z]?\\p{Ll}+(?![\\w/@=#(']|[.:-][\\p{L}\\p{N}])", Pattern.UNICODE_CHARACTER_CLASS);

    private static final Pattern NEXT_WORD = Pattern.compile("\\s+(\\p{L}+)");
    private static final Pattern TERM = Pattern.compile("[\\p{L}’']+");

    private final JLanguageTool tool = new JLanguageTool(Languages.getLanguageForShortCode("en-GB"));
    private final HousePatterns patterns = new HousePatterns();
    private final SpellingCheckRule dictionary;
    private final Map<String, Boolean> misspelled = new HashMap<>();
    private final PassedTexts passed;

    Linter(PassedTexts passed) {
        this.passed = passed;
        Set<String> off = new HashSet<>(lines("rules-off.txt"));
        SpellingCheckRule found = null;
        for (Rule rule : tool.getAllRules()) {
            if (rule instanceof SpellingCheckRule spelling) {
                found = rule.isDictionaryBasedSpellingRule() ? spelling : found;
                tool.disableRule(rule.getId());
            } else if (off.contains(rule.getId())
                    || off.contains(rule.getCategory().getId().toString())) {
                tool.disableRule(rule.getId());
            }
        }
        dictionary = Objects.requireNonNull(found);
        terms().forEach(term -> misspelled.put(term, false));
    }

    List<Finding> check(Passage passage) {
        List<Finding> findings = new ArrayList<>(patterns.check(passage));
        length(passage, findings);
        spelling(passage, findings);
        boolean grammar = passage.kind() != Kind.INTERNAL_JAVADOC;
        for (RuleMatch match : grammar ? matches(passage.text()) : List.<RuleMatch>of()) {
            int from = match.getFromPos();
            int to = match.getToPos();
            if (!passage.text().substring(from, to).contains(Passage.CODE) && !isArticleOfName(passage.text(), match)) {
                String advice = match.getMessage().replaceAll("</?suggestion>", "'");
                findings.add(Finding.of(passage, from, to, match.getRule().getId(), advice));
            }
        }
        return findings;
    }

    /** Only people know whether the name of a function or a program begins with a vowel sound. */
    private boolean isArticleOfName(String text, RuleMatch match) {
        Matcher next = NEXT_WORD.matcher(text).region(match.getToPos(), text.length());
        return match.getRule().getId().equals("EN_A_VS_AN")
                && next.lookingAt()
                && (next.group(1).startsWith(Passage.CODE) || isMisspelled(next.group(1)));
    }

    private List<RuleMatch> matches(String text) {
        if (passed.has(text)) {
            return List.of();
        }
        try {
            List<RuleMatch> matches = tool.check(text);
            if (matches.isEmpty()) {
                passed.add(text);
            }
            return matches;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** LanguageTool's dictionary without its rule, whose suggestions take longer than all the rest. */
    private void spelling(Passage passage, List<Finding> findings) {
        Matcher word = PLAIN_WORD.matcher(passage.text());
        while (word.find()) {
            if (!word.group().startsWith(Passage.CODE)
                    && misspelled.computeIfAbsent(word.group(), this::isMisspelled)) {
                findings.add(Finding.of(
                        passage, word.start(), word.end(), "spelling", "a typing error, or a word for vocabulary.txt"));
            }
        }
    }

    private boolean isMisspelled(String word) {
        try {
            return dictionary.isMisspelled(word);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void length(Passage passage, List<Finding> findings) {
        int from = 0;
        Matcher end = SENTENCE_END.matcher(passage.text());
        boolean more = true;
        while (more) {
            more = end.find();
            int to = more ? end.start() : passage.text().length();
            long words =
                    WORD.matcher(passage.text().substring(from, to)).results().count();
            if (words > LONGEST_SENTENCE) {
                findings.add(Finding.of(
                        passage, from, Math.min(to, from + 60), "length", words + " words; make two sentences of it"));
            }
            from = more ? end.end() : to;
        }
    }

    /** The words of vocabulary.txt, and those that the glossary explains. */
    private static List<String> terms() {
        List<String> terms = new ArrayList<>(lines("vocabulary.txt"));
        Matcher bold = Pattern.compile("\\*\\*([^*]+)\\*\\*").matcher(Tree.read(Tree.TOP.resolve("docs/glossary.md")));
        while (bold.find()) {
            TERM.matcher(bold.group(1)).results().forEach(word -> terms.add(word.group()));
        }
        return terms;
    }

    /** The lines of a resource without comments. */
    static List<String> lines(String resource) {
        try (BufferedReader reader = new BufferedReader(
                new InputStreamReader(Linter.class.getResourceAsStream(resource), StandardCharsets.UTF_8))) {
            return reader.lines()
                    .map(String::strip)
                    .filter(line -> !line.isEmpty() && !line.startsWith("#"))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
