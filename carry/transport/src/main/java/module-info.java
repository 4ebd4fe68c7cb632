/** Messages between JVMs over TCP, Unix domain sockets and UCX, by threads that can be bound near the adapter. */
module org.berth.transport {
    requires static org.jspecify;
    requires org.berth.text;
    requires transitive org.berth.binding;
    requires transitive org.berth.observation;
    requires transitive org.berth.placement;
    requires transitive org.berth.topology;

    exports org.berth.transport;
    exports org.berth.transport.failure;
    exports org.berth.transport.host;
    exports org.berth.transport.link;
    exports org.berth.transport.progress;
    exports org.berth.transport.settings;
}
