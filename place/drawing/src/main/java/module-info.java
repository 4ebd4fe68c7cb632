/** Machines and threads as text, SVG and JSON: pure functions. */
module org.berth.drawing {
    requires static org.jspecify;
    requires java.xml;
    requires org.berth.text;
    requires transitive org.berth.observation;
    requires transitive org.berth.topology;

    exports org.berth.drawing.machine;
    exports org.berth.drawing.timeline;
}
