/**
 * The text kit of the house: sizes ({@link Bytes}), words ({@link Words}), text of others ({@link ForeignText}), tables, word
 * wrap, JSON and words for a shell. Pure; it knows nothing of machines, and imports nothing else of Berth.
 *
 * <p>The artifact is published only because the others need it: this package is internal to Berth and may change with any
 * release.
 */
@NullMarked
package org.berth.text;

import org.jspecify.annotations.NullMarked;
