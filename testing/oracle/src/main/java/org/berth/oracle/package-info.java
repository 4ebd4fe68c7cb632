/**
 * The independent witness of the tests: reads {@code /proc}, runs the usual tools, starts child processes and control
 * groups. It depends on no module of Berth, so that an error of Berth's cannot hide itself.
 */
@org.jspecify.annotations.NullMarked
package org.berth.oracle;
