package org.berth.mapreduce.programs.kmeans;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.TaskInputOutputContext;

/** Rows of the input and the nearest centroid of each, in a task. The centroids come by the distributed cache. For one thread. */
final class Assignment {
    /** Before the task has begun. */
    static final Assignment NONE = new Assignment(new Centroids(List.of()));

    private final Centroids centroids;
    private final Row row = new Row();
    private double squaredDistance;

    private Assignment(Centroids centroids) {
        this.centroids = centroids;
    }

    /** Gives the tasks of a job a file of centroids. */
    static void share(Job job, Path file) throws IOException {
        FileSystem fs = file.getFileSystem(job.getConfiguration());
        job.addCacheFile(fs.makeQualified(file).toUri());
    }

    /** Reads them in a task. The copy's path is deprecated for the link of its name, which is in the client's folder on local engines. */
    @SuppressWarnings("deprecation")
    static Assignment open(TaskInputOutputContext<?, ?, ?, ?> context) throws IOException {
        String copy = context.getLocalCacheFiles()[0].toUri().getPath();
        return new Assignment(Centroids.read(context.getConfiguration(), new Path("file://" + copy)));
    }

    /** Reads a row; false when the line has none. */
    boolean read(Text line) {
        if (!row.read(line)) {
            return false;
        }
        if (row.columns() != centroids.columns()) {
            throw new IllegalArgumentException(
                    "a row has " + row.columns() + " numbers, the centroids have " + centroids.columns() + ": " + line);
        }
        return true;
    }

    /** The cluster of the nearest centroid, of the first one among equally near ones. */
    int nearest() {
        int nearest = 0;
        squaredDistance = Double.POSITIVE_INFINITY;
        for (int cluster = 0; cluster < centroids.count(); cluster++) {
            double distance = row.squaredDistance(centroids.row(cluster));
            if (distance < squaredDistance) {
                squaredDistance = distance;
                nearest = cluster;
            }
        }
        return nearest;
    }

    Row row() {
        return row;
    }

    /** Of the row to the centroid that {@link #nearest} found. */
    double squaredDistance() {
        return squaredDistance;
    }
}
