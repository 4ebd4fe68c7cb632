package org.berth.agent;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.SynchronousQueue;
import java.util.stream.Collectors;
import org.berth.binding.internal.NativeBridge;
import org.berth.oracle.Await;
import org.berth.oracle.Child;
import org.berth.oracle.ChildJvm;
import org.berth.oracle.ProcStatus;

/** The JVM that the tests look at from outside. It obeys one command a line and answers with one line. */
final class AgentSubject {
    private final Map<String, Worker> workers = new HashMap<>();

    private static final String END = "";

    /** A thread that gives itself the names that it is told, until an empty one ends it. */
    private record Worker(Thread thread, SynchronousQueue<String> names, SynchronousQueue<String> done) {}

    public static void main(String[] arguments) throws Exception {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("shutdown hook")));
        String collectors = ManagementFactory.getGarbageCollectorMXBeans().stream()
                .map(GarbageCollectorMXBean::getName)
                .collect(Collectors.joining(","));
        System.out.println(
                "ready processors=" + Runtime.getRuntime().availableProcessors() + " collectors=" + collectors);
        AgentSubject probe = new AgentSubject();
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            int space = line.indexOf(' ');
            System.out.println(probe.answer(line.substring(0, space), line.substring(space + 1)));
        }
    }

    /** A failure is an answer too. */
    private String answer(String command, String argument) {
        try {
            return obey(command, argument);
        } catch (Exception problem) {
            return problem.toString();
        }
    }

    private String obey(String command, String argument) throws Exception {
        return switch (command) {
            case "start" -> String.valueOf(start(argument));
            case "child" -> String.valueOf(startFromWorker(argument));
            case "end" -> end(argument);
            case "load" -> load(argument);
            case "agent" -> agent(argument);
            case "virtual" -> virtual(argument);
            case "pool" -> String.valueOf(pool(Integer.parseInt(argument)));
            case "rename" -> rename(argument);
            case "jvm" -> childJvm(argument);
            case "child-files" -> childFiles(argument);
            case "exit" -> exit(Integer.parseInt(argument));
            default -> "unknown";
        };
    }

    private int start(String name) throws Exception {
        SynchronousQueue<String> names = new SynchronousQueue<>();
        SynchronousQueue<String> done = new SynchronousQueue<>();
        CompletableFuture<Integer> tid = new CompletableFuture<>();
        Thread thread = new Thread(() -> run(names, done, tid), name);
        thread.setDaemon(true);
        workers.put(name, new Worker(thread, names, done));
        thread.start();
        return tid.get();
    }

    private static void run(
            SynchronousQueue<String> names, SynchronousQueue<String> done, CompletableFuture<Integer> tid) {
        try {
            tid.complete(threadId());
            for (String name = names.take(); !name.equals(END); name = names.take()) {
                Thread.currentThread().setName(name);
                done.put("renamed");
            }
        } catch (IOException | InterruptedException problem) {
            tid.completeExceptionally(problem);
        }
    }

    /** "name > other": the thread that was started with the first name gives itself the second one. */
    private String rename(String names) throws InterruptedException {
        String[] parts = names.split(" > ", 2);
        Worker worker = workers.get(parts[0]);
        worker.names().put(parts[1]);
        return worker.done().take();
    }

    /** "creator created": a thread of the first name starts one of the second name and ends. */
    private int startFromWorker(String names) throws Exception {
        String[] parts = names.split(" ", 2);
        CompletableFuture<Integer> tid = new CompletableFuture<>();
        Thread creator = new Thread(
                () -> {
                    try {
                        tid.complete(start(parts[1]));
                    } catch (Exception problem) {
                        tid.completeExceptionally(problem);
                    }
                },
                parts[0]);
        creator.start();
        creator.join();
        return tid.get();
    }

    private String end(String name) throws InterruptedException {
        Worker worker = workers.remove(name);
        worker.names().put(END);
        worker.thread().join();
        return "ended";
    }

    /** The masks of the carrier while a virtual thread of that name runs on it. JDK 21 or later. */
    private static String virtual(String name) throws Exception {
        CompletableFuture<String> mask = new CompletableFuture<>();
        Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
        Class<?> type = Class.forName("java.lang.Thread$Builder");
        Object named = type.getMethod("name", String.class).invoke(builder, name);
        Runnable task = () -> mask.complete(ProcStatus.callingThread().cpus());
        type.getMethod("start", Runnable.class).invoke(named, task);
        return mask.get();
    }

    /** The kernel's id of a worker of the program's own pool. */
    private static int pool(int size) throws Exception {
        return new ForkJoinPool(size).submit(AgentSubject::threadId).get();
    }

    private static int threadId() throws IOException {
        // "<pid>/task/<tid>"
        Path self = Files.readSymbolicLink(Path.of("/proc/thread-self"));
        return Integer.parseInt(String.valueOf(self.getFileName()));
    }

    /** Starts the same program in a child with the given class path, and tells its PID, masks and first line. */
    private static String childJvm(String classPath) throws Exception {
        try (Child child = ChildJvm.of(AgentSubject.class).classPath(classPath).start()) {
            String line = child.readLine();
            return new TreeSet<>(ProcStatus.masks(child.pid()).values()) + " " + line;
        }
    }

    /** What the open files of a child that runs a command are. */
    private static String childFiles(String command) throws Exception {
        try (Child child = Child.start(command.split(" ", -1))) {
            // Until the child has become the command, its files are this JVM's.
            Await.until("the command", () -> ProcStatus.of(child.pid()).name(), name -> command.startsWith(name));
            return FileDescriptors.of(child.pid()).toString();
        }
    }

    private static String load(String library) {
        System.load(library);
        return "loaded " + NativeBridge.version();
    }

    /** Line breaks are written as '|' both ways. */
    private static String agent(String command) {
        byte[] reply = new byte[1 << 16];
        int result = NativeBridge.agentCommand(command.replace('|', '\n'), reply);
        String text = new String(reply, StandardCharsets.UTF_8).trim();
        return result < 0 ? result + " " + text : text.replace('\n', '|');
    }

    private static String exit(int code) {
        System.exit(code);
        return "";
    }
}
