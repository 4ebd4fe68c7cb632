package org.berth.observation;

import java.util.Optional;
import java.util.function.Function;

/**
 * The answer of a kernel file: its value, that this machine does not have it, or why it could not be read. A refused
 * value is unknown, and must not be reported as absent.
 *
 * @since 0.1.0
 */
public sealed interface Reading<T> {
    /** What was read. */
    record Value<T>(T content) implements Reading<T> {}

    /**
     * This kernel or machine does not have it.
     *
     * @param reason what shows that, "there is no /sys/kernel/sched_ext/state"
     */
    record Absent<T>(String reason) implements Reading<T> {}

    /** It may be there, and this process cannot tell. */
    record Refused<T>(Refusal why) implements Reading<T> {}

    /** A value. */
    static <T> Reading<T> of(T value) {
        return new Value<>(value);
    }

    /** Nothing to read; the reason is one line. */
    static <T> Reading<T> absent(String reason) {
        return new Absent<>(reason);
    }

    /** Not known. */
    static <T> Reading<T> refused(Refusal refusal) {
        return new Refused<>(refusal);
    }

    /** The value, if it was read. */
    default Optional<T> value() {
        return fold(Optional::of, absent -> Optional.empty(), refused -> Optional.empty());
    }

    /** Why it is not known; empty when it was read or is absent. */
    default Optional<Refusal> refusal() {
        return fold(value -> Optional.empty(), absent -> Optional.empty(), Optional::of);
    }

    /** The value, or another where there is none, for whatever reason. */
    default T orElse(T other) {
        return value().orElse(other);
    }

    /**
     * The value, or an exception that is made of the reason why there is none.
     *
     * @throws X when there is no value
     */
    default <X extends Exception> T orElseThrow(Function<String, X> problem) throws X {
        if (this instanceof Value<T> one) {
            return one.content();
        }
        throw problem.apply(reason());
    }

    /** Why there is no value; empty when there is one. */
    default String reason() {
        return fold(value -> "", absent -> absent, Refusal::toString);
    }

    /** This, or the other where this machine has none; what was refused stays so. */
    default Reading<T> ifAbsent(Reading<T> other) {
        return fold(value -> this, absent -> other, refused -> this);
    }

    /** The same with another value. */
    default <R> Reading<R> map(Function<? super T, ? extends R> change) {
        return flatMap(value -> of(change.apply(value)));
    }

    /** What the function makes of the value; absent and refused stay so. */
    default <R> Reading<R> flatMap(Function<? super T, Reading<R>> next) {
        return fold(next, Reading::absent, Reading::refused);
    }

    /** One of three, by the answer; an absence is given by its reason. */
    default <R> R fold(
            Function<? super T, ? extends R> value,
            Function<String, ? extends R> absent,
            Function<Refusal, ? extends R> refused) {
        if (this instanceof Value<T> one) {
            return value.apply(one.content());
        }
        return this instanceof Absent<T> none ? absent.apply(none.reason()) : refused.apply(((Refused<T>) this).why());
    }
}
