/** Manual pages and completion of the {@code berth} command, made from its options when an archive is packed. */
@NullMarked
package org.berth.packaging;

import org.jspecify.annotations.NullMarked;
