package org.berth.experiments.run;

import java.io.IOException;
import java.nio.file.Path;

/**
 * Results that could not be written, as on a full disk, which ends an experiment.
 *
 * @param file that misses them
 */
public record UnwrittenResults(Path file, IOException cause) {}
