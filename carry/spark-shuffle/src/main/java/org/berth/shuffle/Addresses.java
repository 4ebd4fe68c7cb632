package org.berth.shuffle;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.spark.SparkConf;
import org.apache.spark.rpc.RpcEndpointRef;
import org.apache.spark.rpc.RpcEnv;
import org.apache.spark.util.RpcUtils;
import org.berth.shuffle.client.AddressLookup;
import org.jspecify.annotations.Nullable;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/** An executor's view of the driver's {@link AddressBook}. Thread-safe. */
final class Addresses implements AddressLookup {
    private static final ClassTag<String> STRING = ClassTag$.MODULE$.apply(String.class);

    private final RpcEndpointRef driver;
    private final Map<String, String> known = new ConcurrentHashMap<>();

    private Addresses(RpcEndpointRef driver) {
        this.driver = driver;
    }

    static Addresses of(SparkConf conf, RpcEnv env) throws IOException {
        try {
            return new Addresses(RpcUtils.makeDriverRef(AddressBook.NAME, conf, env));
        } catch (Exception e) {
            throw new IOException("the driver has no list of addresses (" + e.getMessage() + ")", e);
        }
    }

    /** Tells the driver where this executor listens, and returns the secret of the application's executors. */
    String register(String executor, String address) throws IOException {
        return ask(AddressBook.REGISTER, executor, address);
    }

    /** Asks the driver the first time. */
    @Override
    public @Nullable String find(String executor) throws IOException {
        String address = known.get(executor);
        if (address == null) {
            address = ask(AddressBook.FIND, executor);
            if (address.equals(AddressBook.UNKNOWN)) {
                return null;
            }
            known.put(executor, address);
        }
        return address;
    }

    private String ask(String... message) throws IOException {
        try {
            return driver.askSync(message, STRING);
        } catch (Exception e) {
            if (e instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
            throw new IOException("the driver does not answer: " + e, e);
        }
    }
}
