/** The text kit of the house, for the other modules of Berth only. */
@SuppressWarnings("module") // They are compiled later.
module org.berth.text {
    requires static org.jspecify;

    exports org.berth.text to
            org.berth.topology,
            org.berth.observation,
            org.berth.placement,
            org.berth.binding,
            org.berth.drawing,
            org.berth.transport;
}
