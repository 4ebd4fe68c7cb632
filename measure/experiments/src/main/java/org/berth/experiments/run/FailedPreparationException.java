package org.berth.experiments.run;

import java.io.IOException;

/** The command that prepares a run has failed, so the experiment ends before that run; the message says which, and where its output is. */
public final class FailedPreparationException extends IOException {
    private static final long serialVersionUID = 1;

    FailedPreparationException(String message) {
        super(message);
    }
}
