package org.berth.spark;

import org.apache.spark.SparkConf;
import org.apache.spark.deploy.master.Master$;
import org.apache.spark.rpc.RpcEnv;

/** The Master of a standalone cluster on a port that the kernel chooses, so that no other process can take it before. */
final class MasterProcess {
    private MasterProcess() {}

    public static void main(String[] arguments) {
        RpcEnv rpc = Master$.MODULE$
                .startRpcEnvAndEndpoint("localhost", 0, 0, new SparkConf())
                ._1();
        // The full stop says that the line is whole.
        System.out.println("port " + rpc.address().port() + ".");
        rpc.awaitTermination();
    }
}
