package org.berth.report.study;

import java.util.List;
import org.berth.drawing.internal.svg.Markup;
import org.berth.report.HtmlParts;
import org.berth.text.ShellWord;
import org.berth.text.Words;

/** A study as one page that needs nothing but itself; the reports of its parts lie next to it. A pure function. */
public final class StudyHtml {
    private StudyHtml() {}

    /** The whole page. */
    public static String render(Study study) {
        Markup out = new Markup();
        String title = "Berth study: " + study.title();
        HtmlParts.begin(out, title);
        out.leaf("h1", title);
        out.leaf("p", study.written(), "class", "meta");
        out.open("div", "class", "verdict");
        study.verdicts().forEach(sentence -> out.leaf("p", sentence));
        study.remarks().forEach(remark -> out.leaf("p", remark, "class", "note"));
        out.close();
        out.leaf("h2", "The figure");
        // On a phone the picture shrinks with the page.
        out.style(".figure svg { max-width: 100%; height: auto; }");
        out.open("div", "class", "figure");
        study.figure().draw(out);
        out.close();
        for (Study.Section section : study.sections()) {
            out.leaf("h2", Words.capital(section.title()));
            section.figure().ifPresent(figure -> {
                out.open("div", "class", "figure");
                figure.draw(out);
                out.close();
            });
            HtmlParts.table(out, "stack numbers", section.table());
            section.notes().forEach(note -> out.leaf("p", note, "class", "note"));
        }
        out.leaf("h2", "The numbers");
        HtmlParts.table(out, "stack numbers", study.table());
        out.leaf("h2", "The parts");
        out.open("ul");
        for (Study.Part part : study.parts()) {
            out.open("li");
            out.leaf("a", part.workload() + ", " + part.setting(), "href", part.page());
            out.close();
        }
        out.close();
        out.leaf("h2", "The machine and its state");
        HtmlParts.facts(out, study.environment());
        out.leaf("h2", "The exact commands");
        for (List<String> command : commands(study)) {
            out.leaf("h3", command.get(0)).leaf("pre", command.get(1));
        }
        out.leaf("p", "Raw results and logs: " + study.folder(), "class", "meta");
        return HtmlParts.end(out);
    }

    private static List<List<String>> commands(Study study) {
        return study.parts().stream()
                .flatMap(part -> part.result().experiment().arms().stream()
                        .map(arm -> List.of(
                                part.workload() + ", " + part.setting() + ", " + arm.name(),
                                ShellWord.line(arm.command()))))
                .toList();
    }
}
