/** Files that jobs of one client hand to later jobs in memory: blocks of files on disk, and files that need no disk. */
@NullMarked
package org.berth.mapreduce.embedded.cache;

import org.jspecify.annotations.NullMarked;
