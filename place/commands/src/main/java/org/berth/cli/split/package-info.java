/** {@code berth split}: several processes of one command, each in a part of the host, with one supervisor. */
@NullMarked
package org.berth.cli.split;

import org.jspecify.annotations.NullMarked;
