package org.berth.oracle;

import java.util.Collection;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Sets of numbers as the kernel writes them, such as {@code 0-3,8}; see cpuset(7), "List format". */
public final class KernelList {
    private KernelList() {}

    /** The numbers of a list, ascending. */
    public static List<Integer> numbers(String list) {
        return Stream.of(list.strip().split(",", -1))
                .filter(range -> !range.isEmpty())
                .flatMapToInt(range -> {
                    String[] ends = range.split("-", -1);
                    return IntStream.rangeClosed(Integer.parseInt(ends[0]), Integer.parseInt(ends[ends.length - 1]));
                })
                .boxed()
                .toList();
    }

    /** The list of numbers. */
    public static String of(Integer... numbers) {
        return of(List.of(numbers));
    }

    /** The list of numbers in any order. */
    public static String of(Collection<Integer> numbers) {
        TreeSet<Integer> rest = new TreeSet<>(numbers);
        StringBuilder list = new StringBuilder();
        while (!rest.isEmpty()) {
            int first = rest.first();
            int last = first;
            while (rest.remove(last)) {
                last++;
            }
            list.append(list.isEmpty() ? "" : ",").append(first);
            if (last - 1 > first) {
                list.append('-').append(last - 1);
            }
        }
        return list.toString();
    }
}
