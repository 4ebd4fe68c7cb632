package org.berth.cli.shared;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The options of a command that most people need, in the order of {@code --help}. The others are shown by {@code --help-all}, in
 * manual pages and by completion. A command without this annotation shows all of its options.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface CommonOptions {
    /** A name of each option. */
    String[] value();
}
