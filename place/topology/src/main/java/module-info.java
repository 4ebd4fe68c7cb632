/** What the machine is: an immutable model of packages, caches, cores, nodes and devices. */
module org.berth.topology {
    requires static org.jspecify;
    requires org.berth.text;

    exports org.berth.topology;
    exports org.berth.topology.diff;
    exports org.berth.topology.edit;
    exports org.berth.topology.synthetic;
    exports org.berth.topology.type;
    exports org.berth.topology.xml;
}
