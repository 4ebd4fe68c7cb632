package org.berth.onejar;

import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import org.jspecify.annotations.Nullable;

/** Binds a thread by each of the jars that it is given, all at the same time, each in a class loader of its own. */
public final class TwoLoaders {
    private TwoLoaders() {}

    public static void main(String[] jars) throws Exception {
        CyclicBarrier together = new CyclicBarrier(jars.length);
        List<Thread> threads = new ArrayList<>();
        for (String jar : jars) {
            URLClassLoader loader =
                    new URLClassLoader(new URL[] {Path.of(jar).toUri().toURL()}, ClassLoader.getPlatformClassLoader());
            Thread thread = new Thread(() -> {
                try {
                    together.await();
                    System.out.println(bind(loader));
                } catch (Exception | LinkageError e) {
                    System.out.println("failed: " + e + ", " + e.getCause());
                }
            });
            threads.add(thread);
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }

    private static String bind(ClassLoader loader) throws ReflectiveOperationException {
        @Nullable Object machine = call(loader, "LocalMachine", "open", null);
        Class<?> type = loader.loadClass("org.berth.binding.LocalMachine");
        Object binder = type.getMethod("binder").invoke(machine);
        Object topology = type.getMethod("topology").invoke(machine);
        Object cpus = topology.getClass().getMethod("allowedCpuSet").invoke(topology);
        int last = (int) cpus.getClass().getMethod("last").invoke(cpus);
        Class<?> set = loader.loadClass("org.berth.topology.CpuSet");
        Object one = set.getMethod("of", int[].class).invoke(null, (Object) new int[] {last});
        AutoCloseable bound = (AutoCloseable) loader.loadClass("org.berth.binding.Binder")
                .getMethod("bindThread", set)
                .invoke(binder, one);
        try {
            Class<?> engine = loader.loadClass("org.berth.binding.internal.jvm.BerthCopies");
            Object use = engine.getMethod("use", String.class, Class.class).invoke(null, "this test", engine);
            Object line = use.getClass().getMethod("line").invoke(use);
            return "bound " + use.getClass().getMethod("isAllowed").invoke(use) + " " + line;
        } finally {
            close(bound);
        }
    }

    private static void close(AutoCloseable bound) {
        try {
            bound.close();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static Object call(ClassLoader loader, String name, String method, @Nullable Object target)
            throws ReflectiveOperationException {
        return loader.loadClass("org.berth.binding." + name).getMethod(method).invoke(target);
    }
}
