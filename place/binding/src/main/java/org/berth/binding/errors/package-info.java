/** Says in one line why something could not be discovered or bound, and what to do about it. Start with {@code BindingException}. */
@NullMarked
package org.berth.binding.errors;

import org.jspecify.annotations.NullMarked;
