package org.berth.placement;

import java.util.List;

/**
 * A level together with the order in which threads take L3 caches: what users write as {@code l3}, {@code l3-spread},
 * {@code core} or {@code core-spread}. Immutable.
 *
 * @param order {@link ThreadOrder#PACK} at the levels that assign no thread to a cache
 * @since 0.1.0
 */
public record OrderedLevel(AffinityLevel level, ThreadOrder order) {
    /** Every level once, and both orders of level l3: what is worth comparing. In the order of the levels. */
    public static final List<OrderedLevel> ALL = List.of(
            of(AffinityLevel.NONE),
            of(AffinityLevel.NUMA),
            of(AffinityLevel.PACKAGE),
            of(AffinityLevel.L3),
            new OrderedLevel(AffinityLevel.L3, ThreadOrder.SPREAD),
            of(AffinityLevel.CORE),
            of(AffinityLevel.PU));

    /** @throws PlacementException when the level assigns no thread to a cache and the order is not {@link ThreadOrder#PACK} */
    public OrderedLevel {
        if (order != ThreadOrder.PACK && !hasOrder(level)) {
            throw new PlacementException("level " + level.word() + " assigns no thread to an L3 cache, so order '"
                    + order.word() + "' has no meaning: use it with l3, core or pu");
        }
    }

    /** A level in its default order. */
    public static OrderedLevel of(AffinityLevel level) {
        return new OrderedLevel(level, ThreadOrder.PACK);
    }

    /** Whether an order has a meaning: at l3 and the tighter levels. */
    public static boolean hasOrder(AffinityLevel level) {
        return level.compareTo(AffinityLevel.L3) >= 0;
    }

    /** The name that users write: "numa", "l3-pack", "l3-spread", "core", "core-spread". */
    public String word() {
        return order == ThreadOrder.PACK && level != AffinityLevel.L3
                ? level.word()
                : level.word() + "-" + order.word();
    }

    /**
     * The level that a user named: {@code l3} means {@code l3-pack}.
     *
     * @throws PlacementException one line with the choices, when there is no such level or order
     */
    public static OrderedLevel parse(String text) {
        int dash = text.indexOf('-');
        String level = dash < 0 ? text : text.substring(0, dash);
        if (dash < 0 || !isLevel(level)) {
            return of(AffinityLevel.parse(text));
        }
        return new OrderedLevel(AffinityLevel.parse(level), ThreadOrder.parse(text.substring(dash + 1)));
    }

    private static boolean isLevel(String text) {
        return text.equals("cpu")
                || List.of(AffinityLevel.values()).stream()
                        .anyMatch(level -> level.word().equals(text));
    }
}
