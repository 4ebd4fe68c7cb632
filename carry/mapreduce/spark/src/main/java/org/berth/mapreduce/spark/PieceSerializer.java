package org.berth.mapreduce.spark;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import org.apache.spark.serializer.DeserializationStream;
import org.apache.spark.serializer.SerializationStream;
import org.apache.spark.serializer.Serializer;
import org.apache.spark.serializer.SerializerInstance;
import org.berth.mapreduce.runtime.blocks.Piece;
import scala.reflect.ClassTag;

/** Writes pieces of blocks to Spark's shuffle and reads them, as the bytes that they are. */
final class PieceSerializer extends Serializer implements Serializable {
    private static final long serialVersionUID = 1;

    @Override
    public SerializerInstance newInstance() {
        return new Instance();
    }

    /** Pieces stand for themselves, so Spark may reorder their bytes and join streams. */
    @Override
    public boolean supportsRelocationOfSerializedObjects() {
        return true;
    }

    private static final class Instance extends SerializerInstance {
        @Override
        public <T> ByteBuffer serialize(T value, ClassTag<T> tag) {
            throw new UnsupportedOperationException("pieces are serialised as streams only");
        }

        @Override
        public <T> T deserialize(ByteBuffer bytes, ClassTag<T> tag) {
            throw new UnsupportedOperationException("pieces are serialised as streams only");
        }

        @Override
        public <T> T deserialize(ByteBuffer bytes, ClassLoader loader, ClassTag<T> tag) {
            throw new UnsupportedOperationException("pieces are serialised as streams only");
        }

        @Override
        public SerializationStream serializeStream(OutputStream out) {
            return new Writer(out);
        }

        @Override
        public DeserializationStream deserializeStream(InputStream in) {
            return new Reader(in);
        }
    }

    private static final class Writer extends SerializationStream {
        private final DataOutputStream out;

        Writer(OutputStream out) {
            this.out = new DataOutputStream(out);
        }

        @Override
        public <T> SerializationStream writeKey(T key, ClassTag<T> tag) {
            return writeObject(key, tag);
        }

        @Override
        public <T> SerializationStream writeValue(T value, ClassTag<T> tag) {
            return writeObject(value, tag);
        }

        @Override
        public <T> SerializationStream writeObject(T object, ClassTag<T> tag) {
            try {
                if (object instanceof Integer number) {
                    out.writeInt(number);
                } else {
                    ((Piece) object).write(out);
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return this;
        }

        @Override
        public void flush() {
            try {
                out.flush();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void close() {
            try {
                out.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private static final class Reader extends DeserializationStream {
        private final DataInputStream in;
        private int partition;

        Reader(InputStream in) {
            this.in = new DataInputStream(in);
        }

        @Override
        public <T> T readKey(ClassTag<T> tag) {
            return read(true);
        }

        @Override
        public <T> T readValue(ClassTag<T> tag) {
            return read(false);
        }

        @Override
        public <T> T readObject(ClassTag<T> tag) {
            throw new UnsupportedOperationException("pieces are pairs");
        }

        @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // Spark's signature
        private <T> T read(boolean key) {
            try {
                if (key) {
                    partition = in.readInt();
                    return (T) (Integer) partition;
                }
                return (T) Piece.read(in, partition);
            } catch (IOException e) {
                // Spark expects an EOFException at the end and an IOException for a block that must be fetched again.
                throw TaskBody.<RuntimeException>unchecked(e);
            }
        }

        @Override
        public void close() {
            try {
                in.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
