package org.berth.jobs.tpch;

import io.trino.tpch.Customer;
import io.trino.tpch.GenerateUtils;
import io.trino.tpch.LineItem;
import io.trino.tpch.Order;
import io.trino.tpch.Part;
import io.trino.tpch.TpchTable;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * Some of the queries as loops over what the generator makes, with whole numbers only: cents and per cents, so products
 * are in units of 10⁻⁴ and 10⁻⁶.
 */
final class TpchOracle {
    private final double scale;
    private final Map<Long, Order> orders = new HashMap<>();
    private final Map<Long, Customer> customers = new HashMap<>();
    private final List<LineItem> items = new ArrayList<>();

    TpchOracle(double scale) {
        this.scale = scale;
        TpchTable.ORDERS.createGenerator(scale, 1, 1).forEach(order -> orders.put(order.getOrderKey(), order));
        TpchTable.CUSTOMER
                .createGenerator(scale, 1, 1)
                .forEach(customer -> customers.put(customer.getCustomerKey(), customer));
        TpchTable.LINE_ITEM.createGenerator(scale, 1, 1).forEach(items::add);
    }

    List<String> pricingSummary() {
        TreeMap<String, long[]> groups = new TreeMap<>();
        for (LineItem item : items) {
            if (day(item.getShipDate()).isAfter(LocalDate.of(1998, 9, 2))) {
                continue;
            }
            long[] sums = groups.computeIfAbsent(item.getReturnFlag() + "|" + item.getStatus(), key -> new long[6]);
            sums[0] += item.getQuantity();
            sums[1] += item.getExtendedPriceInCents();
            sums[2] += discounted(item);
            sums[3] += discounted(item) * (100 + item.getTaxPercent());
            sums[4] += item.getDiscountPercent();
            sums[5]++;
        }
        List<String> lines = new ArrayList<>();
        groups.forEach((key, sums) -> lines.add(String.join(
                "|",
                key,
                ratio(sums[0], 1),
                ratio(sums[1], 100),
                ratio(sums[2], 10_000),
                ratio(sums[3], 1_000_000),
                ratio(sums[0], sums[5]),
                ratio(sums[1], 100 * sums[5]),
                ratio(sums[4], 100 * sums[5]),
                Long.toString(sums[5]))));
        return lines;
    }

    List<String> shippingPriority() {
        LocalDate date = LocalDate.of(1995, 3, 15);
        Map<Long, Long> revenues = new HashMap<>();
        for (LineItem item : items) {
            Order order = known(orders, item.getOrderKey());
            if (day(item.getShipDate()).isAfter(date)
                    && day(order.getOrderDate()).isBefore(date)
                    && known(customers, order.getCustomerKey())
                            .getMarketSegment()
                            .equals("BUILDING")) {
                revenues.merge(item.getOrderKey(), discounted(item), Long::sum);
            }
        }
        Comparator<Map.Entry<Long, Long>> most = Map.Entry.comparingByValue(Comparator.reverseOrder());
        return revenues.entrySet().stream()
                .sorted(most.thenComparing(
                        entry -> known(orders, entry.getKey()).getOrderDate()))
                .limit(10)
                .map(entry -> entry.getKey() + "|" + ratio(entry.getValue(), 10_000) + "|"
                        + day(known(orders, entry.getKey()).getOrderDate()) + "|0")
                .toList();
    }

    List<String> orderPriorities() {
        Set<Long> late = new HashSet<>();
        items.stream()
                .filter(item -> item.getCommitDate() < item.getReceiptDate())
                .forEach(item -> late.add(item.getOrderKey()));
        TreeMap<String, Long> counts = new TreeMap<>();
        orders.values().stream()
                .filter(order -> in(order.getOrderDate(), LocalDate.of(1993, 7, 1), LocalDate.of(1993, 10, 1)))
                .filter(order -> late.contains(order.getOrderKey()))
                .forEach(order -> counts.merge(order.getOrderPriority(), 1L, Long::sum));
        return lines(counts);
    }

    List<String> revenueChange() {
        long revenue = items.stream()
                .filter(item -> in(item.getShipDate(), LocalDate.of(1994, 1, 1), LocalDate.of(1995, 1, 1)))
                .filter(item -> item.getDiscountPercent() >= 5 && item.getDiscountPercent() <= 7)
                .filter(item -> item.getQuantity() < 24)
                .mapToLong(item -> item.getExtendedPriceInCents() * item.getDiscountPercent())
                .sum();
        return List.of(ratio(revenue, 10_000));
    }

    List<String> shippingModes() {
        TreeMap<String, String> lines = new TreeMap<>();
        for (String mode : List.of("MAIL", "SHIP")) {
            List<LineItem> late = items.stream()
                    .filter(item -> item.getShipMode().equals(mode))
                    .filter(item -> in(item.getReceiptDate(), LocalDate.of(1994, 1, 1), LocalDate.of(1995, 1, 1)))
                    .filter(item -> item.getCommitDate() < item.getReceiptDate())
                    .filter(item -> item.getShipDate() < item.getCommitDate())
                    .toList();
            long high = late.stream()
                    .map(item -> known(orders, item.getOrderKey()).getOrderPriority())
                    .filter(priority -> priority.equals("1-URGENT") || priority.equals("2-HIGH"))
                    .count();
            lines.put(mode, high + "|" + (late.size() - high));
        }
        return lines(lines);
    }

    List<String> customerDistribution() {
        Pattern special = Pattern.compile("special.*requests");
        Map<Long, Long> perCustomer = new HashMap<>();
        customers.keySet().forEach(key -> perCustomer.put(key, 0L));
        orders.values().stream()
                .filter(order -> !special.matcher(order.getComment()).find())
                .forEach(order -> perCustomer.merge(order.getCustomerKey(), 1L, Long::sum));
        Map<Long, Long> distribution = new HashMap<>();
        perCustomer.values().forEach(count -> distribution.merge(count, 1L, Long::sum));
        Comparator<Map.Entry<Long, Long>> most = Map.Entry.comparingByValue(Comparator.reverseOrder());
        return distribution.entrySet().stream()
                .sorted(most.thenComparing(Map.Entry.comparingByKey(Comparator.reverseOrder())))
                .map(entry -> entry.getKey() + "|" + entry.getValue())
                .toList();
    }

    List<String> promotionEffect() {
        Map<Long, String> types = new HashMap<>();
        Stream<Part> parts =
                StreamSupport.stream(TpchTable.PART.createGenerator(scale, 1, 1).spliterator(), false);
        parts.forEach(part -> types.put(part.getPartKey(), part.getType()));
        long promotion = 0;
        long all = 0;
        for (LineItem item : items) {
            if (in(item.getShipDate(), LocalDate.of(1995, 9, 1), LocalDate.of(1995, 10, 1))) {
                all += discounted(item);
                promotion += known(types, item.getPartKey()).startsWith("PROMO") ? discounted(item) : 0;
            }
        }
        return List.of(ratio(100 * promotion, all));
    }

    List<String> largeOrders() {
        Map<Long, Long> quantities = new HashMap<>();
        items.forEach(item -> quantities.merge(item.getOrderKey(), item.getQuantity(), Long::sum));
        return orders.values().stream()
                .filter(order -> quantities.getOrDefault(order.getOrderKey(), 0L) > 300)
                .sorted(Comparator.comparing(Order::getTotalPriceInCents)
                        .reversed()
                        .thenComparing(Order::getOrderDate))
                .limit(100)
                .map(order -> known(customers, order.getCustomerKey()).getName() + "|" + order.getCustomerKey() + "|"
                        + order.getOrderKey() + "|" + day(order.getOrderDate()) + "|"
                        + ratio(order.getTotalPriceInCents(), 100) + "|"
                        + ratio(known(quantities, order.getOrderKey()), 1))
                .toList();
    }

    private static <K, V> V known(Map<K, V> all, K key) {
        return Objects.requireNonNull(all.get(key));
    }

    private static List<String> lines(Map<String, ?> values) {
        return values.entrySet().stream()
                .map(entry -> entry.getKey() + "|" + entry.getValue())
                .toList();
    }

    /** In 10⁻⁴ of the currency. */
    private static long discounted(LineItem item) {
        return item.getExtendedPriceInCents() * (100 - item.getDiscountPercent());
    }

    private static boolean in(int generated, LocalDate from, LocalDate before) {
        LocalDate day = day(generated);
        return !day.isBefore(from) && day.isBefore(before);
    }

    /** The generator's days look like 94123 (the year and the day of the year) in its entities. */
    private static LocalDate day(int generated) {
        return LocalDate.parse(GenerateUtils.formatDate(generated));
    }

    private static String ratio(long dividend, long divisor) {
        return BigDecimal.valueOf(dividend)
                .divide(BigDecimal.valueOf(divisor), 2, RoundingMode.HALF_UP)
                .toPlainString();
    }
}
