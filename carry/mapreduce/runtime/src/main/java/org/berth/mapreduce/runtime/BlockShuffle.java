package org.berth.mapreduce.runtime;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.io.RawComparator;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.RawKeyValueIterator;
import org.apache.hadoop.mapred.ShuffleConsumerPlugin;
import org.berth.mapreduce.runtime.blocks.MapCodec;
import org.berth.mapreduce.runtime.blocks.MergeIterator;
import org.berth.mapreduce.runtime.blocks.Segment;
import org.berth.mapreduce.runtime.blocks.SpillFile;
import org.jspecify.annotations.Nullable;

/** Merges the segments of a partition where they are. Hadoop's reduce task creates it by reflection. */
public final class BlockShuffle implements ShuffleConsumerPlugin<Object, Object> {
    /** Files that one merge reads at least, whatever the job's factor: each has a buffer of 128 KiB. */
    private static final int FILES = 64;

    /** Counters of Hadoop's shuffle, which are 0 here and there, so that programs find them. */
    private static final String[] ERRORS = {
        "BAD_ID", "CONNECTION", "IO_ERROR", "WRONG_LENGTH", "WRONG_MAP", "WRONG_REDUCE"
    };

    private final List<Segment> own = new ArrayList<>();
    private @Nullable Context<Object, Object> context;
    private @Nullable MergeIterator merge;

    static int openFiles(JobConf job) {
        return Math.max(FILES, job.getInt("mapreduce.task.io.sort.factor", 10));
    }

    @Override
    public void init(Context<Object, Object> newContext) {
        context = newContext;
    }

    @Override
    public RawKeyValueIterator run() throws IOException {
        Context<Object, Object> ready = context;
        if (ready == null || !(ready.getReduceTask() instanceof BerthReduceTask task)) {
            throw new IllegalStateException("this shuffle works only in a task of Berth's engine");
        }
        JobConf job = ready.getJobConf();
        RawComparator<?> comparator = job.getOutputKeyComparator();
        List<Segment> segments = new ArrayList<>(task.segments());
        long bytes = segments.stream().mapToLong(Segment::bytes).sum();
        ready.getReduceShuffleBytes().increment(bytes);
        ready.getShuffledMapsCounter().increment(task.getNumMaps());
        ready.getMergedMapOutputsCounter().increment(task.getNumMaps());
        for (String error : ERRORS) {
            ready.getReporter().getCounter("Shuffle Errors", error).increment(0);
        }
        segments = withFewFiles(ready, task, segments, comparator);
        ready.getCopyPhase().complete();
        merge = MergeIterator.open(comparator, segments);
        return merge;
    }

    /** Merges neighbours, so that equal keys stay in the order of the maps. */
    private List<Segment> withFewFiles(
            Context<Object, Object> ready, BerthReduceTask task, List<Segment> all, RawComparator<?> comparator)
            throws IOException {
        int limit = openFiles(ready.getJobConf());
        CompressionCodec codec = MapCodec.of(ready.getJobConf());
        List<Segment> segments = all;
        int pass = 0;
        while (segments.stream().filter(Segment::onDisk).count() > limit) {
            List<Segment> merged = new ArrayList<>();
            List<Segment> group = new ArrayList<>();
            for (Segment segment : segments) {
                if (!segment.onDisk()) {
                    flush(ready, task, group, merged, comparator, codec, pass);
                    merged.add(segment);
                    continue;
                }
                group.add(segment);
                if (group.size() == limit) {
                    flush(ready, task, group, merged, comparator, codec, pass);
                }
            }
            flush(ready, task, group, merged, comparator, codec, pass);
            if (merged.size() == segments.size()) {
                // Files and blocks take turns: there are no neighbours to be merged.
                return mergedWhole(ready, task, segments, comparator, codec);
            }
            segments = merged;
            pass++;
        }
        return segments;
    }

    private List<Segment> mergedWhole(
            Context<Object, Object> ready,
            BerthReduceTask task,
            List<Segment> segments,
            RawComparator<?> comparator,
            @Nullable CompressionCodec codec)
            throws IOException {
        List<Segment> result = new ArrayList<>();
        int step = openFiles(ready.getJobConf());
        for (int i = 0; i < segments.size(); i += step) {
            List<Segment> group = new ArrayList<>(segments.subList(i, Math.min(segments.size(), i + step)));
            flush(ready, task, group, result, comparator, codec, -1);
        }
        return result.size() > step && result.size() < segments.size()
                ? withFewFiles(ready, task, result, comparator)
                : result;
    }

    private void flush(
            Context<Object, Object> ready,
            BerthReduceTask task,
            List<Segment> group,
            List<Segment> merged,
            RawComparator<?> comparator,
            @Nullable CompressionCodec codec,
            int pass)
            throws IOException {
        if (group.size() <= 1) {
            merged.addAll(group);
            group.clear();
            return;
        }
        long bytes = group.stream().mapToLong(Segment::bytes).sum();
        String name = task.getTaskID() + "-merge-" + pass + "-" + own.size();
        MergeIterator records = MergeIterator.open(comparator, group);
        Segment segment;
        try (SpillFile file = SpillFile.create(task.spillConf(), codec, name, bytes)) {
            SpillFile.SegmentWriter writer = file.start();
            while (records.next()) {
                writer.append(records.getKey(), records.getValue());
                ready.getReporter().progress();
            }
            segment = writer.close();
        } finally {
            records.close();
        }
        ready.getSpilledRecordsCounter().increment(segment.records());
        for (Segment read : group) {
            if (own.remove(read)) {
                read.release();
            }
        }
        own.add(segment);
        merged.add(segment);
        group.clear();
    }

    @Override
    public void close() {
        MergeIterator open = merge;
        if (open != null) {
            try {
                open.close();
            } catch (IOException e) {
                // All was read; the files are removed with the folder of the job.
            }
        }
        own.forEach(Segment::release);
    }
}
