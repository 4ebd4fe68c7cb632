/** Makes a changed machine of a machine: restricts it, groups objects, and removes levels that say nothing. */
@NullMarked
package org.berth.topology.edit;

import org.jspecify.annotations.NullMarked;
