/**
 * Keeps what the threads of a process had before they were bound from outside, so that it can be given back.
 * The files lie in a directory that only this user can write to. It is no part of the API: Berth's own
 * programs use it.
 */
@NullMarked
package org.berth.binding.internal.records;

import org.jspecify.annotations.NullMarked;
