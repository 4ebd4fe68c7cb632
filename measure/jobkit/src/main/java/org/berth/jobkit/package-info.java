/**
 * What the jobs of all modules share: their list ({@link org.berth.jobkit.JobList}), which tools read without the jobs, and
 * their command line ({@link org.berth.jobkit.JobMain}).
 */
@NullMarked
package org.berth.jobkit;

import org.jspecify.annotations.NullMarked;
