package org.berth.topology.internal.xml;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.Reader;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.berth.machines.Machines;
import org.berth.topology.TopologyException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is read is the same as what the JDK's parser reads, and what that one refuses is refused. */
@Tag("one-jdk")
class XmlScannerTest {
    private static final int RUNS = Integer.getInteger("berth.fuzz.runs", 4_000);

    private static final String SAMPLE = """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE topology SYSTEM "hwloc2.dtd">
            <topology version='2.0'><!-- a -- comment is not that long -->
              <object type="Machine" cpuset="0x1" note="a &lt;&amp;&quot;&apos;&gt; b&#65;&#x42;\tc">
                <info name="x" value=""/><?pi some words?>
                <text>1 2 &amp; 3<![CDATA[ <4> ]]></text >
              </object>\r
            </topology>
            """.replace(" -- ", " - ");

    private static final String PIECES = "<>/?!&;'\"=-[]#x0 \n\r\tAB:_.é\ud83d\ude00\u0001\ufffe";

    private static List<String> scanned(Reader xml) {
        XmlScanner scanner = new XmlScanner(xml);
        List<String> events = new ArrayList<>();
        StringBuilder text = new StringBuilder();
        for (XmlScanner.Event event = scanner.next(); ; event = scanner.next()) {
            if (event == XmlScanner.Event.TEXT) {
                text.append(scanner.text());
                continue;
            }
            addText(events, text);
            switch (event) {
                case START -> {
                    TreeMap<String, String> attributes = new TreeMap<>();
                    for (String name : scanner.attributeNames()) {
                        attributes.put(name, scanner.attribute(name));
                    }
                    events.add("<" + scanner.name() + attributes);
                }
                case END -> events.add("/" + scanner.name());
                case INSTRUCTION -> events.add("?" + scanner.name());
                default -> {
                    return events;
                }
            }
        }
    }

    /** Of the JDK. */
    private static List<String> parsed(Reader xml) throws XMLStreamException {
        XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_NAMESPACE_AWARE, false);
        XMLStreamReader reader = factory.createXMLStreamReader(xml);
        List<String> events = new ArrayList<>();
        StringBuilder text = new StringBuilder();
        while (reader.hasNext()) {
            int event = reader.next();
            if (reader.isCharacters()) {
                text.append(reader.getText());
                continue;
            }
            if (event == XMLStreamConstants.COMMENT) {
                continue;
            }
            addText(events, text);
            if (event == XMLStreamConstants.START_ELEMENT) {
                TreeMap<String, String> attributes = new TreeMap<>();
                for (int i = 0; i < reader.getAttributeCount(); i++) {
                    attributes.put(reader.getAttributeLocalName(i), reader.getAttributeValue(i));
                }
                events.add("<" + reader.getLocalName() + attributes);
            } else if (event == XMLStreamConstants.END_ELEMENT) {
                events.add("/" + reader.getLocalName());
            } else if (event == XMLStreamConstants.PROCESSING_INSTRUCTION) {
                events.add("?" + reader.getPITarget());
            }
        }
        return events;
    }

    private static void addText(List<String> events, StringBuilder text) {
        if (text.length() > 0) {
            events.add("\"" + text);
            text.setLength(0);
        }
    }

    static List<String> machines() {
        return Machines.all();
    }

    @ParameterizedTest
    @MethodSource("machines")
    void recordedMachinesAreReadAsTheJdkReadsThem(String machine) throws Exception {
        String xml = Machines.xml(machine);
        assertThat(scanned(new StringReader(xml))).isEqualTo(parsed(new StringReader(xml)));
    }

    @Test
    void everyKindOfContentIsReadAsTheJdkReadsIt() throws XMLStreamException {
        assertThat(scanned(new StringReader(SAMPLE)))
                .isEqualTo(parsed(new StringReader(SAMPLE)))
                .hasSizeGreaterThan(10);
    }

    @Test
    void whatIsAcceptedOfSpoiledTextsIsWhatTheJdkReads() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        int accepted = 0;
        for (int run = 0; run < RUNS; run++) {
            String xml = spoiled(random);
            List<String> ours;
            try {
                ours = scanned(new StringReader(xml));
            } catch (TopologyException refused) {
                assertThat(refused.getMessage()).as("seed " + seed).matches("line \\d+: not well-formed XML: [^\\n]+");
                continue;
            }
            accepted++;
            try {
                assertThat(ours).as("seed " + seed + ": " + xml).isEqualTo(parsed(new StringReader(xml)));
            } catch (XMLStreamException e) {
                throw new AssertionError("seed " + seed + ": the JDK refuses " + xml, e);
            }
        }
        assertThat(accepted).as("texts that are still XML, of " + RUNS).isGreaterThan(RUNS / 50);
    }

    private static String spoiled(Random random) {
        StringBuilder xml = new StringBuilder(SAMPLE);
        for (int changes = 1 + random.nextInt(3); changes > 0; changes--) {
            int at = random.nextInt(xml.length());
            int end = Math.min(xml.length(), at + random.nextInt(4));
            int piece = random.nextInt(PIECES.length());
            switch (random.nextInt(3)) {
                case 0 -> xml.insert(at, PIECES.charAt(piece));
                case 1 -> xml.delete(at, end);
                default -> xml.insert(at, xml.substring(random.nextInt(at + 1), at));
            }
        }
        return xml.toString();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<a b='1' b='2'/>",
                "<a b=1/>",
                "<a b='<'/>",
                "<a b='1'c='2'/>",
                "<a></b>",
                "<a>]]></a>",
                "<a>&nbsp;</a>",
                "<a>&#0;</a>",
                "<a>&#xd800;</a>",
                "<a>&#x110000;</a>",
                "<a>&#99999999999;</a>",
                "<a/><b/>",
                "<a/>text",
                "<!DOCTYPE a [<!ENTITY x 'y'>]><a/>",
                "<a/><!DOCTYPE a>",
                " <?xml version='1.0'?><a/>",
                "<?xml version='1.1'?><a/>",
                "<!-- -- --><a/>",
                "<a",
                "<a b='",
                "<a><!-- ",
                "<![CDATA[x]]><a/>",
                "<a>\ud83d</a>",
                "<a>\ude00</a>",
                "<1/>"
            })
    void whatIsNotWellFormedOrNotNeededIsRefused(String xml) {
        assertThat(org.assertj.core.api.Assertions.catchThrowable(() -> scanned(new StringReader(xml))))
                .isInstanceOf(TopologyException.class)
                .hasMessageStartingWith("line 1: not well-formed XML: ");
    }
}
