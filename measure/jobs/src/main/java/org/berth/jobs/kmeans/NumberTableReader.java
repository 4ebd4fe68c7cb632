package org.berth.jobs.kmeans;

import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;
import org.berth.jobkit.JobException;

/**
 * Reads a table of finite numbers: cells separated by comma, semicolon or tab, one row per line, plain or gzipped
 * (known by its first two bytes, not by its name). Empty lines are skipped; a first line without any number is a
 * header. */
final class NumberTableReader {
    private static final Pattern SEPARATOR = Pattern.compile("[,;\t]");

    private final Path file;
    private float[] values = new float[1 << 12];
    private int size;
    private int columns;
    private int line;

    private NumberTableReader(Path file) {
        this.file = file;
    }

    /** @throws JobException with exit code 1 and the line and column of the trouble */
    static NumberTable read(Path file) {
        return new NumberTableReader(file).read();
    }

    private NumberTable read() {
        if (Files.isDirectory(file)) {
            throw failure("it is a folder, name a file");
        }
        try (BufferedReader reader = new BufferedReader(new InputStreamReader(open(), StandardCharsets.UTF_8))) {
            for (String text = reader.readLine(); text != null; text = reader.readLine()) {
                line++;
                addLine(line == 1 && text.startsWith("\uFEFF") ? text.substring(1) : text);
            }
        } catch (NoSuchFileException e) {
            throw failure("there is no such file");
        } catch (AccessDeniedException e) {
            throw failure("permission denied");
        } catch (EOFException | ZipException e) {
            throw failure("its gzip data is damaged or cut off");
        } catch (IOException e) {
            throw failure(e.toString());
        }
        if (size == 0) {
            throw failure("it holds no row of numbers");
        }
        return new NumberTable(Arrays.copyOf(values, size), columns);
    }

    private InputStream open() throws IOException {
        InputStream raw = new BufferedInputStream(Files.newInputStream(file), 1 << 16);
        raw.mark(2);
        boolean zipped = raw.read() == 0x1f && raw.read() == 0x8b;
        raw.reset();
        return zipped ? new GZIPInputStream(raw, 1 << 16) : raw;
    }

    private void addLine(String text) {
        if (text.isBlank()) {
            return;
        }
        String[] cells = SEPARATOR.split(text, -1);
        if (columns == 0) {
            columns = cells.length;
            if (Stream.of(cells).noneMatch(NumberTableReader::isNumber)) {
                return;
            }
        }
        if (cells.length != columns) {
            throw failure("line " + line + " has " + cells.length + " columns, the lines before have " + columns);
        }
        if (size > Integer.MAX_VALUE - 8 - columns) {
            throw failure("it holds more than 2^31 numbers; give a part of it");
        }
        if (size + columns > values.length) {
            values = Arrays.copyOf(values, (int) Math.min(2L * (size + columns), Integer.MAX_VALUE - 8));
        }
        for (int column = 0; column < columns; column++) {
            values[size++] = number(cells[column], column);
        }
    }

    private float number(String cell, int column) {
        if (isNumber(cell)) {
            float number = Float.parseFloat(cell);
            if (Float.isFinite(number)) {
                return number;
            }
        }
        throw failure("line " + line + ", column " + (column + 1) + ": '" + cell.strip() + "' is not a finite number");
    }

    private static boolean isNumber(String cell) {
        try {
            Float.parseFloat(cell);
            return true;
        } catch (NumberFormatException e) {
            return false;
        }
    }

    private JobException failure(String reason) {
        return JobException.failure("cannot read a table of numbers from " + file + ": " + reason);
    }
}
