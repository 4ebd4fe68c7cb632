/**
 * The {@code berth} command. {@link Main} starts one command of the packages below; each package is one command, with the page
 * of the same name in {@code docs/commands}. All use {@code shared}; their dependencies form no circle.
 */
@NullMarked
package org.berth.cli;

import org.jspecify.annotations.NullMarked;
