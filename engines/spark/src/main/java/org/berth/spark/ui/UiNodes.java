package org.berth.spark.ui;

import java.util.List;
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
 * Elements of HTML as the nodes that Spark's pages are made of. What comes from outside can only be a text or the value
 * of an attribute, and those are escaped when Spark writes the page.
 */
final class UiNodes {
    private UiNodes() {}

    /** @param attributes names and values in turns; an attribute without a value is left out */
    static Node element(String name, List<Node> children, String... attributes) {
        MetaData all = Null$.MODULE$;
        for (int i = attributes.length - 2; i >= 0; i -= 2) {
            if (!attributes[i + 1].isEmpty()) {
                all = new UnprefixedAttribute(attributes[i], plain(attributes[i + 1]), all);
            }
        }
        return new Elem(null, name, all, TopScope$.MODULE$, false, seq(children));
    }

    /** An element with nothing but text. */
    static Node leaf(String name, String text, String... attributes) {
        return element(name, List.of(text(text)), attributes);
    }

    static Node text(String text) {
        return new Text(plain(text));
    }

    /** Our own style sheet, whose quotes and brackets must stay. */
    static Node style(String css) {
        return element("style", List.of(new Unparsed(css)));
    }

    static Seq<Node> seq(List<Node> nodes) {
        return CollectionConverters.asScala(nodes).toList();
    }

    /** Without control characters, and without those that turn the direction of text around. */
    static String plain(String text) {
        StringBuilder plain = new StringBuilder(text.length());
        text.codePoints().forEach(c -> plain.appendCodePoint(isPlain(c) ? c : '\uFFFD'));
        return plain.toString();
    }

    private static boolean isPlain(int c) {
        int type = Character.getType(c);
        return Character.isDefined(c)
                && !Character.isISOControl(c)
                && type != Character.SURROGATE
                && type != Character.FORMAT;
    }
}
