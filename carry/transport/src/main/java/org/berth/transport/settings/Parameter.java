package org.berth.transport.settings;

import java.util.Arrays;
import java.util.Optional;
import org.berth.text.Words;

/**
 * The settings of an engine by their names, which are the same as options, in files and in the environment.
 *
 * @since 0.1.0
 */
public enum Parameter {
    /** Which providers may be used. */
    PROVIDERS("providers in the order of preference: ucx, local, tcp"),
    /** How many progress threads there are. */
    THREADS("progress threads for sockets, and as many again for UCX where it is used"),
    /** What progress threads do while there is nothing to do. */
    WAIT("what a progress thread does while nothing happens: event, hybrid or spin"),
    /** The policy that places progress threads. */
    POLICY("where progress threads run: none, o2nts, o2acs, o2ocs, o2ntc, o2occ"),
    /** The adapter that they are near. */
    DEVICE("the network adapter that progress threads are near: a name such as eth0 or mlx5_0, or auto"),
    /** N of the policies with N. */
    HARDWARE_THREADS("hardware threads for each progress thread with o2nts and o2ntc; 0 for the policy's default"),
    /** The largest message. */
    MAX_MESSAGE("the largest message that is sent and accepted"),
    /** Parts of what is larger. */
    CHUNK("the size of the messages into which engines split larger data"),
    /** Memory for received messages. */
    RECEIVE_POOL("maximum memory of the buffers for received messages"),
    /** Memory for sent messages. */
    SEND_POOL("maximum memory of the buffers for sent messages"),
    /** Threads of engines that answer requests. */
    HANDLERS("threads of an engine that answer requests, where the engine has none of its own"),
    /** The patience with a peer in the middle of a message. */
    STALL_TIMEOUT("how long a peer may pause within a message, or accept none of the data sent to it"),
    /** The patience with a silent peer. */
    PING_INTERVAL("how long a peer may be silent before it is asked whether it lives; given up after twice as long"),
    /** The directory of sockets. */
    LOCAL_DIRECTORY("directory of Unix domain sockets"),
    /** A guard against lost events. */
    UCX_WAIT_LIMIT("the longest wait for UCX events"),
    /** What UCX itself is told. */
    UCX("settings of UCX without UCX_, such as TLS=rc,sm RNDV_THRESH=64k; the environment's UCX_ variables win");

    private final String meaning;

    Parameter(String meaning) {
        this.meaning = meaning;
    }

    /** The name of the option, such as "max-message". */
    public String key() {
        return Words.of(this);
    }

    /** The name of the environment variable, such as BERTH_TRANSPORT_MAX_MESSAGE. */
    public String variable() {
        return "BERTH_TRANSPORT_" + name();
    }

    /** What it is, without a full stop. */
    public String meaning() {
        return meaning;
    }

    /** The parameter with this key, if there is one. */
    public static Optional<Parameter> of(String key) {
        return Arrays.stream(values()).filter(one -> one.key().equals(key)).findFirst();
    }
}
