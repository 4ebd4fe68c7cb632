/** {@code berth yarn-conf}: prints settings of YARN and MapReduce. */
@NullMarked
package org.berth.cli.yarnconf;

import org.jspecify.annotations.NullMarked;
