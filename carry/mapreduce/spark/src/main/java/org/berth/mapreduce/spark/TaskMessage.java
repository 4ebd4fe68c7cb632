package org.berth.mapreduce.spark;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/**
 * What a task tells the driver. It travels as bytes and is answered by a string, since Spark's endpoints may not see the classes of
 * jars that came with the application.
 */
final class TaskMessage {
    enum Kind {
        /** A task asks for the number of its attempt; the answer is that number, or a word. */
        START,
        /** Progress and counters. */
        PROGRESS,
        /** May the attempt commit? The answer is {@link #YES} or {@link #NO}. */
        CAN_COMMIT,
        /** The attempt has done its work. */
        SUCCEEDED,
        /** The user's code failed; the answer is {@link #RETRY}, {@link #TOLERATED} or {@link #GIVE_UP}. */
        FAILED,
        /** The attempt was stopped, and has removed what it wrote. */
        STOPPED,
        /** Which of the jobs, separated by commas, still run? */
        LIVE
    }

    static final String DONE_BEFORE = "done";
    static final String JOB_ENDED = "ended";
    static final String YES = "yes";
    static final String NO = "no";
    static final String RETRY = "retry";
    static final String TOLERATED = "tolerated";
    static final String GIVE_UP = "give up";

    private final Kind kind;
    private final String job;
    private final String task;
    private final long sparkTask;
    private final String text;
    private final byte[] status;

    /**
     * A message.
     *
     * @param job identifier of the job
     * @param task name of the task or of its attempt
     * @param sparkTask Spark's number of the task's attempt
     * @param text reason or stack trace
     * @param status Hadoop's serialised status of the task
     */
    TaskMessage(Kind kind, String job, String task, long sparkTask, String text, byte[] status) {
        this.kind = kind;
        this.job = job;
        this.task = task;
        this.sparkTask = sparkTask;
        this.text = text;
        this.status = status;
    }

    Kind kind() {
        return kind;
    }

    String job() {
        return job;
    }

    String task() {
        return task;
    }

    long sparkTask() {
        return sparkTask;
    }

    String text() {
        return text;
    }

    byte[] status() {
        return status;
    }

    byte[] bytes() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeUTF(kind.name());
            out.writeUTF(job);
            out.writeUTF(task);
            out.writeLong(sparkTask);
            block(out, text.getBytes(StandardCharsets.UTF_8));
            block(out, status);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    private static void block(DataOutputStream out, byte[] bytes) throws IOException {
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    static TaskMessage of(byte[] bytes) {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
            return new TaskMessage(
                    Kind.valueOf(in.readUTF()),
                    in.readUTF(),
                    in.readUTF(),
                    in.readLong(),
                    new String(in.readNBytes(in.readInt()), StandardCharsets.UTF_8),
                    in.readNBytes(in.readInt()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
