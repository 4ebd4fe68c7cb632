package org.berth.report.study;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.berth.drawing.internal.svg.Markup;
import org.berth.drawing.internal.text.Axis;
import org.berth.report.HtmlParts;
import org.berth.report.RatioPicture;
import org.berth.report.comparison.Quantity;
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
        HtmlParts.answer(out, List.of(study.answer()));
        out.close();
        HtmlParts.warnings(out, study.warnings());
        pictures(out, study);
        out.open("details").leaf("summary", "In words, and what it holds for");
        study.verdicts().forEach(sentence -> out.leaf("p", sentence));
        study.remarks().forEach(remark -> out.leaf("p", remark, "class", "note"));
        out.close();
        out.leaf("h2", "The numbers");
        HtmlParts.table(out, "stack numbers", merged(study.table()));
        out.leaf(
                "p",
                "Medians are of all runs; a ratio is of runs of the same round, and may differ from that of the medians.",
                "class",
                "note");
        for (Study.Section section : study.sections()) {
            out.leaf("h2", Words.capital(section.title()));
            section.figure().ifPresent(figure -> figure.drawInPage(out, section.file()));
            HtmlParts.table(out, "stack numbers", merged(section.table()));
            section.notes().forEach(note -> out.leaf("p", note, "class", "note"));
        }
        out.leaf("h2", "The parts");
        out.open("ul");
        for (Study.Part part : study.parts()) {
            out.open("li");
            out.leaf("a", part.workload() + ", " + part.setting(), "href", part.page());
            out.close();
        }
        out.close();
        HtmlParts.fold(out, "The machine and its state");
        HtmlParts.facts(out, study.environment());
        out.close();
        HtmlParts.fold(out, "The exact commands");
        for (List<String> command : commands(study)) {
            out.leaf("h3", command.get(0)).leaf("pre", command.get(1));
        }
        out.close();
        out.leaf("p", "Raw results and logs: " + study.folder(), "class", "meta");
        return HtmlParts.end(out);
    }

    /** Workload, setting and arm in one column: the table is wide enough. */
    private static List<List<String>> merged(List<List<String>> table) {
        return table.stream()
                .map(row -> Stream.concat(
                                Stream.of(String.join(", ", row.subList(0, 3))), row.subList(3, row.size()).stream())
                        .toList())
                .toList();
    }

    /** One for each setting, all on one scale. */
    private static void pictures(Markup out, Study study) {
        if (study.parts().isEmpty()) {
            return;
        }
        double margin = study.parts().get(0).result().summary().claims().margin();
        Quantity quantity = Study.quantity(study.parts().get(0).result().experiment());
        Axis scale = RatioPicture.scale(margin, Study.rows(study.parts()));
        int number = 0;
        for (Map.Entry<String, List<Study.Part>> setting : study.bySetting().entrySet()) {
            RatioPicture.draw(
                    out,
                    "setting" + number++,
                    setting.getKey() + ": ratio of " + quantity.name() + " to the first arm",
                    quantity.belowOne() + " Mark: median over rounds. Thick line: 95 % interval.",
                    margin,
                    scale,
                    Study.rows(setting.getValue()));
        }
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
