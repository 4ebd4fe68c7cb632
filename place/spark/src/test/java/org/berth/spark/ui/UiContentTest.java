package org.berth.spark.ui;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import org.berth.machines.Machines;
import org.berth.spark.status.ClusterStatus;
import org.berth.spark.status.ExecutorStatus;
import org.berth.spark.status.StatusBook;
import org.berth.spark.status.StatusTopology;
import org.berth.spark.status.UiFixture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

/** The page as text, read by an XML parser. */
final class UiContentTest {
    private static final Pattern PU = Pattern.compile("type=\"PU\"");

    private static Element page(StatusBook book, String chosen) throws Exception {
        ClusterStatus view = book.status(UiFixture.NOW_MILLIS + 3000);
        String html = new UiContent(view, "/affinity/", chosen).render().toString();
        return DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new InputSource(new StringReader(html)))
                .getDocumentElement();
    }

    private static List<Element> elements(Element page, String name, String style) {
        List<Element> found = new ArrayList<>();
        NodeList all = page.getElementsByTagName(name);
        for (int i = 0; i < all.getLength(); i++) {
            Element element = (Element) all.item(i);
            if (List.of(element.getAttribute("class").split(" ", -1)).contains(style)) {
                found.add(element);
            }
        }
        return found;
    }

    private static StatusBook book(ExecutorStatus... statuses) {
        StatusBook book = new StatusBook();
        for (ExecutorStatus status : statuses) {
            book.put(status, UiFixture.NOW_MILLIS);
        }
        return book;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<script>alert(1)</script>",
                "\"><img src=x onerror=alert(1)>",
                "' onmouseover='alert(1)",
                "</style></div></body>",
                "&lt;&#60;&amp",
                "]]><!--",
                "javascript:alert(1)",
                "\u0000\u001b[2J\u202Eabc\uD800"
            })
    void whatExecutorsSendIsText(String hostile) throws Exception {
        Element harmless = page(book(UiFixture.texts("1", "abc")), "");
        StatusBook book = book(UiFixture.texts("1", hostile));
        book.expect(hostile, hostile, UiFixture.NOW_MILLIS);
        book.forget(hostile);
        Element page = page(book, hostile);

        assertThat(page.getElementsByTagName("*").getLength())
                .isEqualTo(harmless.getElementsByTagName("*").getLength());
        NodeList all = page.getElementsByTagName("*");
        for (int i = 0; i < all.getLength(); i++) {
            for (int j = 0; j < all.item(i).getAttributes().getLength(); j++) {
                assertThat(all.item(i).getAttributes().item(j).getNodeName())
                        .isIn("class", "data-label", "title", "href", "open");
            }
        }
        assertThat(page.getTextContent()).contains(UiNodes.plain(hostile)).doesNotContain("\u202E", "\u001b");
    }

    static List<String> machines() {
        return Machines.names();
    }

    @ParameterizedTest
    @MethodSource("machines")
    void everyMachineHasACellForEachPu(String name) throws Exception {
        StatusBook book = book(UiFixture.status("0", "alpha", name, "0", "1"));
        book.learn(UiFixture.machine(name));
        Element page = page(book, "");

        long pus = PU.matcher(Machines.xml(name)).results().count();
        assertThat(elements(page, "div", "pu")).hasSize((int) pus);
    }

    @Test
    void cellsNameTheirExecutorsAndTasks() throws Exception {
        StatusBook book = book(
                UiFixture.status("0", "alpha", "m", "0", "1"),
                UiFixture.status("1", "alpha", "m", "2", "3"),
                UiFixture.status("2", "alpha", "m", "3", "200-1000000"),
                UiFixture.status("3", "alpha", "m", "3", "no set"));
        book.learn(new StatusTopology("m", Machines.xml("16em64t-4s2c2t")));
        Element page = page(book, "");

        List<String> cells = elements(page, "div", "pu").stream()
                .map(cell -> cell.getAttribute("title"))
                .toList();
        assertThat(cells)
                .contains(
                        "CPU 0, executor 0",
                        "CPU 1, executor 0, running: task 42",
                        "CPU 2, executor 1",
                        "CPU 3, executor 1, executor 2, running: task 42");
    }

    @Test
    void saysWhatIsWrong() throws Exception {
        StatusBook book = book(UiFixture.texts("7", "the kernel said no"));
        book.learn(new StatusTopology("the kernel said no", "<topology"));
        book.expect("8", "beta", UiFixture.NOW_MILLIS);
        Element page = page(book, "");

        assertThat(page.getTextContent())
                .contains(
                        "executor 7: the kernel said no",
                        "no picture of the machine",
                        "Executors that have sent nothing")
                .doesNotContain("Nothing: no executor");
        assertThat(page(book(UiFixture.status("0", "alpha", "", "0", "1")), "").getTextContent())
                .contains("no executor has described it so far");
    }

    @Test
    void theHeapIsToldByNodeOrTheReason() throws Exception {
        String known =
                page(book(UiFixture.status("0", "alpha", "m", "0", "1")), "").getTextContent();
        assertThat(known)
                .contains(
                        "Heap and huge pages (1)",
                        "2.5 GiB",
                        "85.0 %",
                        "node 0: 2 GiB (100.0 % huge), node 1: 512 MiB (25.0 % huge)",
                        "-XX:+UseTransparentHugePages",
                        "madvise, defrag madvise");
        assertThat(page(book(UiFixture.texts("7", "no numa_maps")), "").getTextContent())
                .contains("not known: no numa_maps");
    }

    @Test
    void theFirstSentenceIsAVerdict() throws Exception {
        assertThat(page(book(UiFixture.status("0", "alpha", "m", "0", "1")), "").getTextContent())
                .contains("of tasks kept the slot that their thread had before")
                .contains("All of this as JSON");
        assertThat(page(new StatusBook(), "").getTextContent()).contains("No executor has sent anything so far.");
    }

    @Test
    void serviceThreadsOfOneRoleShareARow() throws Exception {
        Element page = page(book(UiFixture.threads("0", "block-manager", "0-1", 176)), "");
        assertThat(page.getTextContent())
                .contains("Service threads (176)")
                .contains("block-manager-0, block-manager-1, block-manager-2, … (all in the JSON)")
                .doesNotContain("block-manager-3,");
    }

    @Test
    void ofManyHostsOneIsDrawn() throws Exception {
        StatusBook book = new StatusBook();
        for (int i = 0; i < 20; i++) {
            book.put(UiFixture.status("" + i, "host" + i, "m", "0", "1"), UiFixture.NOW_MILLIS);
        }
        book.learn(new StatusTopology("m", Machines.xml("16em64t-4s2c2t")));

        assertThat(elements(page(book, ""), "div", "machine")).hasSize(1);
        assertThat(page(book, "host7").getTextContent()).contains("Host host7").doesNotContain("Host host8");
        assertThat(page(book, "nowhere").getTextContent()).contains("Host host0");
    }
}
