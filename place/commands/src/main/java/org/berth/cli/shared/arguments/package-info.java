/**
 * Reads and checks the values that users give to options: processors, devices, memory, heap sizes, process ids, lists of words, and
 * rules between options.
 */
@NullMarked
package org.berth.cli.shared.arguments;

import org.jspecify.annotations.NullMarked;
