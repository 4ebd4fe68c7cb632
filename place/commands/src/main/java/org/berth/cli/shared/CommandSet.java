package org.berth.cli.shared;

import java.util.List;

/**
 * The commands of one wing. {@code berth} offers the sets that {@link java.util.ServiceLoader} finds on its class path, so that
 * a host can have the commands for placement without those that compare and without Hadoop's.
 */
public interface CommandSet {
    /** The names of the commands, in the order of the help. */
    List<String> names();

    /**
     * Makes one command.
     *
     * @param name one of {@link #names()}
     * @return an object with picocli's annotations, or a command line with settings of its own
     * @throws IllegalArgumentException for another name
     */
    Object command(String name, Terminal terminal);
}
