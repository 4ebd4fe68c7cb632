/** Shows the progress of a comparison, prints its result, and writes the files of its report with facts about the machine. */
@NullMarked
package org.berth.cli.compare.output;

import org.jspecify.annotations.NullMarked;
