package org.berth.jobs.tpch;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/**
 * The queries of the TPC-H specification (2.4.1 to 2.4.22) with its validation parameters, in Spark's SQL, one file
 * each.
 */
final class TpchQueries {
    static final int COUNT = 22;

    private TpchQueries() {}

    /**
     * @param scale 11's fraction is 0.0001 divided by it, as the specification says
     */
    static String sql(int query, String scale) {
        String file = "q" + query + ".sql";
        try (InputStream in = TpchQueries.class.getResourceAsStream(file)) {
            if (in == null) {
                throw new IllegalStateException(file + " is not in the jar");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).replace(":scale", scale);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
