package org.berth.experiments.run;

import java.io.IOException;

/** Every warm-up run has failed, so the experiment ends before the runs that count; the message says how, and where the output is. */
public final class FailedWarmUpException extends IOException {
    private static final long serialVersionUID = 1;

    FailedWarmUpException(String message) {
        super(message);
    }
}
