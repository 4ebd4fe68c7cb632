/** The language of documentation, javadoc, help and messages: LanguageTool and the project's own patterns. */
@NullMarked
package org.berth.prose;

import org.jspecify.annotations.NullMarked;
