package org.berth.topology.xml;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.util.AbstractList;
import java.util.Collections;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.berth.oracle.Child;
import org.berth.oracle.ChildJvm;
import org.berth.topology.TopologyException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Files as long as the limit, of one kind of content each, in a JVM with little memory: the outcome is a topology or one
 * line, never an OutOfMemoryError.
 */
@Tag("one-jdk")
@Tag("long")
@Tag("release")
class HostileSizeTest {
    private static final String HEAP = "-Xmx384m";
    private static final String SETS = " cpuset=\"0x1\" nodeset=\"0x1\"";

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "cpukinds|line 1: <cpukind> is beyond the limit of 8192 matrices.*",
                "memattrs|line 1: <memattr> is beyond the limit of 8192 matrices.*",
                "matrices|line 1: <distances2> is beyond the limit of 8192 matrices.*",
                "infos|line 1: <info> is one more than the limit of 500000 elements",
                "values of a memory attribute|line 1: longer than the limit of 33554432 characters",
                "page types|line 1: <page_type> is one more than the limit of 500000 elements",
                "names of elements|line 1: <e\\d+> uses more than the limit of 1000 different names",
                "names of attributes|line 1: .*",
                "names of a tag's attributes|line 1: not well-formed XML: .*",
                "instructions|line 1: uses more than the limit of 1000 different names",
                "one instruction|line 1: is one more than the limit of 500000 elements",
                "comments|line 1: longer than the limit of 33554432 characters",
                "text|line 1: .*text longer than the limit of 1048576 characters",
                "numbers|line 1: distances of 2048 objects have 0 indexes and \\d+ values",
                "wide masks|line 1: longer than the limit of 33554432 characters",
                "wide kinds|line 1: longer than the limit of 33554432 characters",
            })
    void oneKindOfContent(String content, String outcome) {
        Child.Result result = ChildJvm.of(Reader.class, content)
                .with(HEAP, "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")
                .run();
        assertThat(result.output().strip()).matches(outcome);
    }

    /** Prints the outcome of reading endless content. */
    static final class Reader {
        private Reader() {}

        public static void main(String[] args) {
            try {
                System.out.println(TopologyXml.parse(input(args[0])));
            } catch (TopologyException e) {
                System.out.println(e.getMessage());
            }
        }

        private static InputStream input(String content) {
            return switch (content) {
                case "cpukinds" -> behind(i -> "<cpukind cpuset=\"1\"/>");
                case "memattrs" -> behind(i -> "<memattr name=\"x\"/>");
                case "matrices" ->
                    behind(i -> "<distances2 type=\"PU\" nbobjs=\"1\" indexing=\"os\"><indexes>0</indexes>"
                            + "<u64values>0</u64values></distances2>");
                case "infos" -> inside(i -> "<info name=\"n" + i + "\" value=\"v" + i + "\"/>");
                case "values of a memory attribute" -> {
                    IntFunction<String> value = i ->
                            "<memattr_value target_obj_gp_index=\"1\" value=\"" + i + "\" initiator_cpuset=\"1\"/>";
                    yield endless("<topology version=\"2.0\">" + machine("") + "<memattr name=\"x\">", value);
                }
                case "page types" ->
                    endless(
                            "<topology version=\"2.0\"><object type=\"Machine\"" + SETS
                                    + "><object type=\"NUMANode\" os_index=\"0\"" + SETS + ">",
                            i -> "<page_type size=\"" + (i + 1) + "\" count=\"" + i + "\"/>");
                case "names of elements" -> behind(i -> "<e" + i + "/>");
                case "names of attributes" -> behind(i -> "<e a" + i + "=''/>");
                case "names of a tag's attributes" -> endless("<topology version=\"2.0\" ", i -> "a" + i + "='' ");
                case "instructions" -> behind(i -> "<?i" + i + "?>");
                case "one instruction" -> behind(i -> "<?i?>");
                case "comments" -> behind(i -> "<!---->");
                case "text" -> matrix(i -> "0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0<!---->");
                case "numbers" -> matrix(i -> "12345 ".repeat(100) + "</u64values><u64values>");
                case "wide masks" ->
                    endless(
                            "<topology version=\"2.0\"><object type=\"Machine\" cpuset=\"1" + ",".repeat(32_767)
                                    + "\" nodeset=\"1\">",
                            i -> "<object type=\"Core\" cpuset=\"1" + ",".repeat(32_767) + "\" complete_cpuset=\"1"
                                    + ",0".repeat(10) + "\" nodeset=\"1\"/>");
                case "wide kinds" -> behind(i -> "<cpukind cpuset=\"" + i + ",".repeat(32_767) + "\"/>");
                default -> throw new IllegalArgumentException(content);
            };
        }

        private static String machine(String inside) {
            return "<object type=\"Machine\"" + SETS + ">" + inside + "</object>";
        }

        private static InputStream inside(IntFunction<String> piece) {
            return endless("<topology version=\"2.0\"><object type=\"Machine\"" + SETS + ">", piece);
        }

        private static InputStream behind(IntFunction<String> piece) {
            return endless("<topology version=\"2.0\">" + machine(""), piece);
        }

        private static InputStream matrix(IntFunction<String> piece) {
            return endless(
                    "<topology version=\"2.0\">" + machine("")
                            + "<distances2 type=\"PU\" nbobjs=\"2048\" indexing=\"os\"><u64values>",
                    piece);
        }

        private static InputStream endless(String start, IntFunction<String> piece) {
            InputStream pieces = new SequenceInputStream(Collections.enumeration(new Pieces(piece)));
            return new SequenceInputStream(new ByteArrayInputStream(start.getBytes(StandardCharsets.US_ASCII)), pieces);
        }
    }

    /** Blocks of 100 pieces each, more than any limit has room for. */
    private static final class Pieces extends AbstractList<InputStream> {
        private static final int BLOCKS = 1 << 16;
        private static final int PIECES = 100;
        private final IntFunction<String> piece;

        Pieces(IntFunction<String> piece) {
            this.piece = piece;
        }

        @Override
        public InputStream get(int block) {
            List<String> pieces = IntStream.range(0, PIECES)
                    .mapToObj(i -> piece.apply(block * PIECES + i))
                    .toList();
            return new ByteArrayInputStream(String.join("", pieces).getBytes(StandardCharsets.US_ASCII));
        }

        @Override
        public int size() {
            return BLOCKS;
        }
    }
}
