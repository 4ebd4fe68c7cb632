package org.berth.binding;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.function.BinaryOperator;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The open scopes of one thread or process, the latest one last. They may be closed in any order: what the first one found comes back when
 * the last one is closed. A scope that is closed below another leaves the state alone and hands on what it found. A scope that was
 * dropped without being closed counts no more. Thread-safe.
 *
 * @param <S> what a scope gives back
 */
final class ScopeLayers<S> {
    /** Held by its scope alone. */
    private static final class Layer<S> {
        private final BinaryOperator<S> merge;
        private S before;

        Layer(S before, BinaryOperator<S> merge) {
            this.before = before;
            this.merge = merge;
        }
    }

    private final List<WeakReference<Layer<S>>> open = new ArrayList<>(1);

    /** The layers of each thread or process, which are forgotten with it. */
    static final class Table<K, S> {
        private final Map<K, ScopeLayers<S>> layers = new WeakHashMap<>();

        synchronized ScopeLayers<S> of(K target) {
            return layers.computeIfAbsent(target, key -> new ScopeLayers<>());
        }
    }

    /** A scope on top of those that are open. When giving back fails it stays open. */
    BoundScope scope(S before, Consumer<S> giveBack) {
        return scope(before, giveBack, (below, own) -> below);
    }

    /**
     * The same for a state that is not replaced as a whole.
     *
     * @param merge what the scope gives back instead when one below it is closed, of what that found and what it found itself
     */
    synchronized BoundScope scope(S before, Consumer<S> giveBack, BinaryOperator<S> merge) {
        open.removeIf(layer -> layer.get() == null);
        Layer<S> layer = new Layer<>(before, merge);
        open.add(new WeakReference<>(layer));
        return BoundScope.of(() -> leave(layer, giveBack));
    }

    private synchronized void leave(Layer<S> layer, Consumer<S> giveBack) {
        Layer<S> above = above(layer);
        if (above == null) {
            giveBack.accept(layer.before);
        } else {
            above.before = above.merge.apply(layer.before, above.before);
        }
        open.removeIf(other -> other.get() == null || other.get() == layer);
    }

    private @Nullable Layer<S> above(Layer<S> layer) {
        boolean found = false;
        for (WeakReference<Layer<S>> other : open) {
            Layer<S> candidate = other.get();
            if (found && candidate != null) {
                return candidate;
            }
            found |= candidate == layer;
        }
        return null;
    }
}
