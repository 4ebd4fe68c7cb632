/**
 * Keeps what the threads of a process had before they were bound from outside, so that it can be given back. The files lie in a
 * directory that only this user can write to.
 */
@NullMarked
package org.berth.binding.records;

import org.jspecify.annotations.NullMarked;
