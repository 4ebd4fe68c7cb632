package org.berth.testing;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Gives a test of JUnit a {@link FakeMachine} for a parameter: {@code @OnMachine("pack:2 core:4 pu:2") FakeMachine machine}.
 *
 * @since 0.1.0
 */
@Target(ElementType.PARAMETER)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(FakeMachines.class)
public @interface OnMachine {
    /** A synthetic description, or the name of a recorded machine. */
    String value();

    /** The CPUs that the program may use, as a list such as "0-3,8"; empty for all. */
    String allowed() default "";
}
