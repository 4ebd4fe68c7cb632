package org.berth.mapreduce.spark;

import org.apache.spark.SparkConf;
import org.apache.spark.deploy.master.Master$;
import org.apache.spark.rpc.RpcEnv;

/** The Master of a standalone cluster on a port that the kernel chooses, so that no other process can take it before. */
final class MasterProgram {
    private MasterProgram() {}

    public static void main(String[] arguments) {
        RpcEnv rpc = Master$.MODULE$
                .startRpcEnvAndEndpoint("localhost", 0, 0, new SparkConf())
                ._1();
        System.out.println("port " + rpc.address().port());
        rpc.awaitTermination();
    }
}
