package org.berth.spark.ui;

import java.util.List;
import org.berth.observation.ForeignText;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;
import scala.xml.Elem;
import scala.xml.MetaData;
import scala.xml.Node;
import scala.xml.Null$;
import scala.xml.Text;
import scala.xml.TopScope$;
import scala.xml.Unparsed;
import scala.xml.UnprefixedAttribute;

/**
 * HTML elements as the nodes of Spark's pages. Text from outside can only become a text node or the value of an attribute,
 * which Spark escapes when it writes the page.
 */
final class UiNodes {
    private UiNodes() {}

    /** @param attributes names and values alternating; an attribute with an empty value is left out */
    static Node element(String name, List<Node> children, String... attributes) {
        MetaData all = Null$.MODULE$;
        for (int i = attributes.length - 2; i >= 0; i -= 2) {
            if (!attributes[i + 1].isEmpty()) {
                all = new UnprefixedAttribute(attributes[i], plain(attributes[i + 1]), all);
            }
        }
        return new Elem(null, name, all, TopScope$.MODULE$, false, seq(children));
    }

    /** An element that contains text only. */
    static Node leaf(String name, String text, String... attributes) {
        return element(name, List.of(text(text)), attributes);
    }

    static Node text(String text) {
        return new Text(plain(text));
    }

    /** A style sheet, which is not escaped. */
    static Node style(String css) {
        return element("style", List.of(new Unparsed(css)));
    }

    static Seq<Node> seq(List<Node> nodes) {
        return CollectionConverters.asScala(nodes).toList();
    }

    /** Replaces control characters, and characters that change the direction of text. */
    static String plain(String text) {
        StringBuilder plain = new StringBuilder(text.length());
        text.codePoints().forEach(c -> plain.appendCodePoint(isPlain(c) ? c : '\uFFFD'));
        return plain.toString();
    }

    private static boolean isPlain(int c) {
        return Character.isDefined(c) && !ForeignText.isObeyed(c) && Character.getType(c) != Character.FORMAT;
    }
}
