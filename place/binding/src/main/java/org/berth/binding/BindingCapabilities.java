package org.berth.binding;

import java.util.List;

/**
 * The operations that work here and those that do not, each with its reason.
 *
 * @since 0.1.0
 */
public record BindingCapabilities(List<Capability> capabilities) {
    public BindingCapabilities {
        capabilities = List.copyOf(capabilities);
    }

    /** One line each. */
    @Override
    public String toString() {
        return String.join(
                System.lineSeparator(),
                capabilities.stream().map(Capability::toString).toList());
    }
}
