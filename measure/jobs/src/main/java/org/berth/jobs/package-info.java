@NullMarked
package org.berth.jobs;

import org.jspecify.annotations.NullMarked;
