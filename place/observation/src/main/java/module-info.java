/** What threads do: samples of threads, migrations and memory pages from {@code /proc}. */
@SuppressWarnings("module") // Those who share the internal package are compiled later.
module org.berth.observation {
    requires static org.jspecify;
    requires org.berth.text;
    requires transitive org.berth.topology;

    exports org.berth.observation;
    exports org.berth.observation.memory;
    exports org.berth.observation.threads;
    exports org.berth.observation.internal to
            org.berth.binding,
            org.berth.transport;
    exports org.berth.observation.internal.devices to
            org.berth.drawing,
            org.berth.placement,
            org.berth.transport;
    exports org.berth.observation.internal.load to
            org.berth.binding,
            org.berth.placement;
    exports org.berth.observation.internal.process to
            org.berth.binding,
            org.berth.transport;
    exports org.berth.observation.internal.threads to
            org.berth.placement;
}
