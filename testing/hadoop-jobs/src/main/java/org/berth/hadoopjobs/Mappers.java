package org.berth.hadoopjobs;

import java.io.File;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Mapper;

/** Mappers that fail, wait or would end the JVM. Those of one JVM share what they count. */
public final class Mappers {
    private static final AtomicInteger CALLS = new AtomicInteger();
    private static volatile CountDownLatch started = new CountDownLatch(1);

    private Mappers() {}

    /** Starts anew. */
    public static void reset(int calls) {
        CALLS.set(calls);
        started = new CountDownLatch(1);
    }

    /** How often the mappers that fail were called where they fail, and a {@link Waits}. */
    public static int calls() {
        return CALLS.get();
    }

    /** Waits until a {@link Waits} runs. */
    public static void awaitStart() throws InterruptedException {
        started.await();
    }

    /** Writes its input, and fails at the line {@code two} for the first two calls since {@code reset(0)}. */
    public static final class FailsTwice extends Mapper<LongWritable, Text, LongWritable, Text> {
        @Override
        protected void map(LongWritable key, Text value, Mapper<LongWritable, Text, LongWritable, Text>.Context context)
                throws IOException, InterruptedException {
            context.write(key, value);
            context.getCounter("test", "records").increment(1);
            if (value.toString().equals("two") && CALLS.incrementAndGet() <= 2) {
                throw new IllegalStateException("not yet");
            }
        }
    }

    /** Fails at each record. */
    public static final class AlwaysFails extends Mapper<LongWritable, Text, LongWritable, Text> {
        @Override
        protected void map(
                LongWritable key, Text value, Mapper<LongWritable, Text, LongWritable, Text>.Context context) {
            CALLS.incrementAndGet();
            throw new UnsupportedOperationException("the user's own words");
        }
    }

    /** Does not end before it is interrupted. */
    public static final class Waits extends Mapper<LongWritable, Text, LongWritable, Text> {
        @Override
        protected void map(LongWritable key, Text value, Mapper<LongWritable, Text, LongWritable, Text>.Context context)
                throws InterruptedException, IOException {
            context.write(key, value);
            CALLS.incrementAndGet();
            started.countDown();
            new CountDownLatch(1).await();
        }
    }

    /** Loses the first interrupt, as a library may, and does not end before the second. */
    public static final class LosesAnInterrupt extends Mapper<LongWritable, Text, LongWritable, Text> {
        @Override
        protected void map(LongWritable key, Text value, Mapper<LongWritable, Text, LongWritable, Text>.Context context)
                throws InterruptedException {
            try {
                started.countDown();
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                new CountDownLatch(1).await();
            }
        }
    }

    /** Does not end, whatever interrupts it, before a file exists that the property {@code test.open} names. */
    public static final class Hangs extends Mapper<LongWritable, Text, LongWritable, Text> {
        @Override
        public void map(LongWritable key, Text value, Mapper<LongWritable, Text, LongWritable, Text>.Context context) {
            File open = new File(context.getConfiguration().get("test.open", ""));
            while (!open.exists()) {
                try {
                    Thread.sleep(10);
                } catch (InterruptedException e) {
                    context.setStatus("goes on");
                }
            }
        }
    }

    /** Would end the JVM in the way that the property {@code way} names. */
    public static final class Exits extends Mapper<LongWritable, Text, LongWritable, Text> {
        @Override
        protected void map(LongWritable key, Text value, Mapper<LongWritable, Text, LongWritable, Text>.Context context)
                throws IOException, InterruptedException {
            context.write(key, value);
            switch (context.getConfiguration().get("way", "")) {
                case "exit" -> System.exit(3);
                case "halt" -> Runtime.getRuntime().halt(3);
                case "swallowed" -> {
                    try {
                        System.exit(3);
                    } catch (Throwable e) {
                        context.setStatus("goes on");
                    }
                }
                case "thread" -> {
                    Thread thread = new Thread(() -> System.exit(3));
                    thread.start();
                    thread.join();
                }
                default -> context.setStatus("does nothing");
            }
        }
    }
}
