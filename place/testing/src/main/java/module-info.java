/** Machines that are not there, for tests of programs that bind. */
module org.berth.testing {
    requires static org.jspecify;
    requires static org.junit.jupiter.api;
    requires transitive org.berth.binding;
    requires transitive org.berth.topology;

    exports org.berth.testing;
}
