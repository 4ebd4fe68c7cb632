/** Where threads should go: pure functions from a topology and a request to a plan. */
@SuppressWarnings("module") // Those who share the internal package are compiled later.
module org.berth.placement {
    requires static org.jspecify;
    requires org.berth.text;
    requires transitive org.berth.observation;
    requires transitive org.berth.topology;

    exports org.berth.placement;
    exports org.berth.placement.policy;
    exports org.berth.placement.internal.guard to
            org.berth.binding;
}
