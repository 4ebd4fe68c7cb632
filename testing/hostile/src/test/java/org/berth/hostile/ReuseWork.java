package org.berth.hostile;

import java.nio.file.Path;
import java.util.Optional;
import org.berth.oracle.Child;
import org.berth.oracle.ChildJvm;

/**
 * {@link ReuseProgram}, in a PID namespace of its own: what it does with PIDs would also bring back those of the processes of all other
 * work, and who ends one of these by its PID, as the JDK does, could end another one. Root only.
 */
final class ReuseWork implements Work {
    private final ChildJvm program;
    private Optional<Child> running = Optional.empty();

    ReuseWork(Path folder, long seed) {
        program = ChildJvm.of(ReuseProgram.class, folder.toString(), Long.toString(seed))
                .with("-Xmx128m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")
                .under("unshare", "--pid", "--fork", "--kill-child", "--mount-proc");
    }

    @Override
    public void once(Row row) throws Exception {
        Child child = running.filter(Child::isAlive).orElseGet(program::start);
        running = Optional.of(child);
        child.send("again");
        for (String line = child.readLine(); !line.equals("done"); line = child.readLine()) {
            if (line.equals("refused")) {
                row.refused.incrementAndGet();
            } else {
                row.escaped(line);
            }
        }
    }

    @Override
    public void close() {
        running.ifPresent(Child::close);
    }
}
