package org.berth.hostile;

import java.io.IOException;

/** Honest work that is done again and again next to the hostile ones, and judged each time. */
interface Work extends AutoCloseable {
    /** Does it once, and tells the row what was lost, wrong or escaped; an exception counts as lost. */
    void once(Row row) throws Exception;

    @Override
    void close() throws IOException;
}
