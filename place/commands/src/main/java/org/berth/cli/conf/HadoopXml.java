package org.berth.cli.conf;

/** The inner part of a configuration file of Hadoop: properties, with comments between. */
final class HadoopXml {
    private final StringBuilder text = new StringBuilder();

    /** A comment of XML has no two hyphens. */
    void comment(String line) {
        text.append("<!-- ").append(line.replace("--", "- -")).append(" -->\n");
    }

    void property(String name, String value) {
        text.append("<property><name>")
                .append(name)
                .append("</name><value>")
                .append(value.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;"))
                .append("</value></property>\n");
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
