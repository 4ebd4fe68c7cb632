package org.berth.jobs.memory;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.berth.jobkit.JobException;
import org.berth.jobkit.JobMain;
import org.berth.jobs.memory.MemoryPlaces.Place;
import org.berth.text.Json;
import org.berth.text.Words;

/** What {@link Bandwidth} and {@link Latency} found: a number for each measure and each pair of CPUs and memory. */
final class MatrixReport {
    private record Cell(Place place, int threads, List<Double> values) {}

    private final String job;
    private final String unit;
    private final List<String> measures;
    private final List<Cell> cells = new ArrayList<>();
    private String result = "";
    private long nanos;

    MatrixReport(String job, String unit, List<String> measures) {
        this.job = job;
        this.unit = unit;
        this.measures = measures;
    }

    /**
     * @param values one for each measure
     * @param cellResult the same for every pair, or this machine is broken
     * @param cellNanos that the pair took
     */
    void add(Place place, int threads, List<Double> values, String cellResult, long cellNanos) {
        if (!result.isEmpty() && !result.equals(cellResult)) {
            throw JobException.failure("checksum mismatch: " + cellResult + " at " + row(place) + ", " + column(place)
                    + ", but " + result + " in earlier cells: the memory or the JVM is faulty");
        }
        result = cellResult;
        nanos += cellNanos;
        cells.add(new Cell(place, threads, values));
    }

    /** Prints tables or one line of JSON, as the options ask. */
    void print(MemoryOptions options) {
        if (options.json()) {
            System.out.println(json());
            return;
        }
        for (int measure = 0; measure < measures.size(); measure++) {
            printMatrix(measure);
        }
        if (cells.size() == 1 && cells.get(0).place().memoryOnNode().isPresent()) {
            System.out.println("This process may use one memory node, so there is nothing to compare it with.");
        }
        JobMain.printResult(JobMain.seconds(nanos), result);
    }

    private List<String> columns() {
        return cells.stream().map(cell -> column(cell.place())).distinct().toList();
    }

    private static String rowName(Cell cell) {
        return row(cell.place()) + " (" + Words.count(cell.threads(), "thread") + ")";
    }

    private void printMatrix(int measure) {
        List<String> columns = columns();
        StringBuilder text = new StringBuilder(String.format("%-24s", measures.get(measure) + ", " + unit));
        columns.forEach(column -> text.append(String.format("%18s", column)));
        String last = "";
        for (Cell cell : cells) {
            String row = rowName(cell);
            if (!row.equals(last)) {
                text.append(String.format("%n%-24s", row));
                last = row;
            }
            text.append(String.format(Locale.ROOT, "%18.2f", cell.values().get(measure)));
        }
        System.out.println(text);
    }

    private static String row(Place place) {
        return place.cpusOfNode().map(node -> "CPUs of node " + node).orElse("the JVM's CPUs");
    }

    private static String column(Place place) {
        return place.memoryOnNode().map(node -> "memory on node " + node).orElse("first touch");
    }

    private String json() {
        return Json.line(Json.object()
                .with("job", job)
                .with("unit", unit)
                .with("seconds", rounded(JobMain.seconds(nanos)))
                .with("result", result)
                .withEach("cells", cells, this::json));
    }

    private Json.Fields json(Cell cell) {
        Json.Fields fields = Json.object()
                .with("cpusOfNode", cell.place().cpusOfNode())
                .with("memoryOnNode", cell.place().memoryOnNode())
                .with("threads", cell.threads());
        for (int measure = 0; measure < measures.size(); measure++) {
            fields.with(measures.get(measure), rounded(cell.values().get(measure)));
        }
        return fields;
    }

    private static double rounded(double value) {
        return Math.round(1000 * value) / 1000.0;
    }
}
