package org.berth.spark.ui;

import org.apache.spark.SparkContext;
import org.apache.spark.ui.SparkUI;
import org.apache.spark.ui.SparkUITab;
import org.berth.spark.status.StatusBook;
import scala.Option;

/**
 * The tab "Affinity" of a running application. Spark has no public interface for tabs: these classes are private in Scala,
 * but public in bytecode. Callers must expect a {@link LinkageError}.
 */
public final class UiTab extends SparkUITab {
    private UiTab(SparkUI ui, StatusBook book) throws ReflectiveOperationException {
        super(ui, "affinity");
        attachPage(new UiPage(this, book));
    }

    /** Does nothing when the application has no web UI ({@code spark.ui.enabled=false}). */
    public static void attach(SparkContext spark, StatusBook book) throws ReflectiveOperationException {
        Option<SparkUI> ui = spark.ui();
        if (ui.isDefined()) {
            ui.get().attachTab(new UiTab(ui.get(), book));
        }
    }
}
