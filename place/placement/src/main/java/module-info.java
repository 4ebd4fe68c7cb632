/** Where threads should go: pure functions from a topology and a request to a plan. */
module org.berth.placement {
    requires static org.jspecify;
    requires org.berth.text;
    requires transitive org.berth.observation;
    requires transitive org.berth.topology;

    exports org.berth.placement;
    exports org.berth.placement.policy;
}
