/** What threads do: samples of threads, migrations and memory pages from {@code /proc}. */
@SuppressWarnings("module") // Those who share the internal package are compiled later.
module org.berth.observation {
    requires static org.jspecify;
    requires org.berth.text;
    requires transitive org.berth.topology;

    exports org.berth.observation;
    exports org.berth.observation.devices;
    exports org.berth.observation.jvm;
    exports org.berth.observation.kernel;
    exports org.berth.observation.load;
    exports org.berth.observation.memory;
    exports org.berth.observation.process;
    exports org.berth.observation.threads;
    exports org.berth.observation.internal to
            org.berth.binding,
            org.berth.transport;
}
