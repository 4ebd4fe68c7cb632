package org.berth.mapreduce.spark;

import java.io.Serializable;
import org.apache.spark.TaskContext;
import org.berth.mapreduce.runtime.blocks.Piece;
import scala.Tuple2;
import scala.collection.Iterator;
import scala.runtime.AbstractFunction2;

/** Runs maps whose output no shuffle takes. */
final class MapOnlyFunction extends AbstractFunction2<TaskContext, Iterator<Tuple2<Integer, Piece>>, Boolean>
        implements Serializable {
    private static final long serialVersionUID = 1;

    @Override
    public Boolean apply(TaskContext context, Iterator<Tuple2<Integer, Piece>> pieces) {
        return pieces.hasNext();
    }
}
