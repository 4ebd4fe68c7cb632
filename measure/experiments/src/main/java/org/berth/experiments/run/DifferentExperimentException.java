package org.berth.experiments.run;

import java.io.IOException;

/** An experiment cannot be resumed, since what is on disk is of another one; the message says what differs. */
public final class DifferentExperimentException extends IOException {
    private static final long serialVersionUID = 1;

    DifferentExperimentException(String message) {
        super(message);
    }
}
