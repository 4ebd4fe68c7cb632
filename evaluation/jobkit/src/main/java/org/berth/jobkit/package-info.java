/** What the jobs of all modules share: the command line ({@link org.berth.jobkit.JobMain}) and its failures. */
@NullMarked
package org.berth.jobkit;

import org.jspecify.annotations.NullMarked;
