package org.berth.prose;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.berth.prose.Passage.Kind;

/** The prose of a Markdown page: paragraphs, list items, headings and cells of tables. */
final class Pages {
    private static final Pattern STARTS = Pattern.compile("^\\s*(?:[-*+]|\\d+\\.)\\s+|^#+ |^>\\s?");

    private final String file;
    private final List<Passage> passages = new ArrayList<>();
    private final StringBuilder paragraph = new StringBuilder();
    private int first;

    private Pages(String file) {
        this.file = file;
    }

    static List<Passage> read(Path page) {
        return read(Tree.name(page), Tree.read(page));
    }

    static List<Passage> read(String file, String content) {
        return new Pages(file).passages(content.replaceAll("(?s)<!--.*?-->", ""));
    }

    private List<Passage> passages(String content) {
        int number = 0;
        boolean code = false;
        for (String line : content.split("\n", -1)) {
            number++;
            if (line.strip().startsWith("```")) {
                code = !code;
                end();
            } else if (code || line.isBlank()) {
                end();
            } else if (line.startsWith("    ") && paragraph.isEmpty()) {
                end();
            } else if (line.startsWith("|")) {
                end();
                row(line, number);
            } else {
                if (STARTS.matcher(line).find()) {
                    end();
                }
                add(STARTS.matcher(line).replaceFirst(""), number);
                if (line.startsWith("#")) {
                    end();
                }
            }
        }
        end();
        return passages;
    }

    private void row(String line, int number) {
        // A bar inside code does not end a cell.
        String masked = line.replaceAll("`[^`]*`", "`x`").replace("\\|", " or ");
        for (String cell : masked.split("\\|", -1)) {
            if (!cell.isBlank() && !cell.matches("[\\s:-]+")) {
                passages.add(new Passage(Kind.PAGE, file, number, mask(cell.strip())));
            }
        }
    }

    private void add(String line, int number) {
        if (paragraph.isEmpty()) {
            first = number;
        } else {
            paragraph.append('\n');
        }
        paragraph.append(line.strip());
    }

    private void end() {
        if (!paragraph.isEmpty()) {
            passages.add(new Passage(Kind.PAGE, file, first, mask(paragraph.toString())));
            paragraph.setLength(0);
        }
    }

    private static String mask(String text) {
        return text.replaceAll("(?s)`[^`\n]*(\n?)[^`]*`", Passage.CODE + "$1")
                .replaceAll("!?\\[([^]]*)]\\([^)]*\\)", "$1")
                .replaceAll("<https?:[^>]*>|https?:\\S+", Passage.CODE)
                .replaceAll("</?[a-zA-Z][^>]*>", "")
                .replace("**", "")
                .replaceAll("(?<![\\w*])\\*(?=\\S)|(?<=\\S)\\*(?![\\w*])", "");
    }
}
