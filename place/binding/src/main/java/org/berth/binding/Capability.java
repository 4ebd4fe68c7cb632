package org.berth.binding;

/**
 * An operation that this process can or cannot do here.
 *
 * @param name lower case words, "memory policy"
 * @param reason why not, or how; never empty
 * @since 0.1.0
 */
public record Capability(String name, boolean available, String reason) {
    @Override
    public String toString() {
        return name + ": " + (available ? "yes" : "no") + " (" + reason + ")";
    }
}
