/** Make it so: discovery of the live machine and verified, reversible binding. */
@SuppressWarnings("module") // Those who share internal packages are compiled later.
module org.berth.binding {
    requires static org.jspecify;
    requires java.management;
    requires jdk.management;
    requires org.berth.natives;
    requires org.berth.text;
    requires transitive org.berth.observation;
    requires transitive org.berth.placement;
    requires transitive org.berth.topology;

    exports org.berth.binding;
    exports org.berth.binding.discovery;
    exports org.berth.binding.errors;
    exports org.berth.binding.leases;
    exports org.berth.binding.records;
    exports org.berth.binding.internal.jvm to
            org.berth.transport;
    exports org.berth.binding.internal.library to
            org.berth.transport;
}
