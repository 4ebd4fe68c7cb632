package org.berth.mapreduce.client;

import java.io.IOException;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;

/** The drivers on the class path. */
final class Engines {
    private Engines() {}

    /** Returns the driver that a configuration asks for. */
    static Engine of(Configuration conf) throws IOException {
        String name = conf.getTrimmed(EngineSettings.ENGINE, EngineSettings.EMBEDDED);
        Map<String, Engine> found = new TreeMap<>();
        try {
            for (Engine engine : ServiceLoader.load(Engine.class, Engine.class.getClassLoader())) {
                found.put(engine.name(), engine);
            }
        } catch (ServiceConfigurationError e) {
            if (!found.containsKey(name)) {
                throw new IOException("cannot load the engines of " + EngineSettings.ENGINE + ": " + e.getMessage(), e);
            }
        }
        Engine engine = found.get(name);
        if (engine == null) {
            boolean known = name.equals(EngineSettings.EMBEDDED) || name.equals("spark");
            throw new IOException(EngineSettings.ENGINE + "=" + name + ": "
                    + (known
                            ? "its jar is not on the class path; add berth-hadoop-VERSION.jar to HADOOP_CLASSPATH"
                            : "there is no such engine; use embedded or spark"));
        }
        return engine;
    }
}
