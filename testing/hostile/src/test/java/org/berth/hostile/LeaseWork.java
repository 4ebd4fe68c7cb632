package org.berth.hostile;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.berth.binding.internal.launch.DomainRequest;
import org.berth.binding.internal.launch.LaunchWords;
import org.berth.oracle.Await;
import org.berth.oracle.Child;
import org.berth.oracle.ProcStatus;

/**
 * Processes that ask for a CPU of their own and are killed at any moment, in a directory where a hostile user plants, locks
 * and fills. Their masks are read from /proc: no two living ones may have the same CPU.
 */
final class LeaseWork implements Work {
    private static final int CLAIMS = 4;

    private final Path directory;
    private final Random random;
    private final Path launcher;
    private final String all = ProcStatus.self().cpus();

    LeaseWork(Path directory, Path launcher, long seed) throws IOException {
        this.launcher = launcher;
        this.directory = Files.createDirectory(directory);
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxrwxrwx"));
        org.berth.oracle.Tool.requireSuccess("chmod", "1777", directory.toString());
        this.random = new Random(seed);
    }

    @Override
    public void once(Row row) throws Exception {
        List<Child> claims = new ArrayList<>();
        try {
            for (int i = 0; i < CLAIMS; i++) {
                claims.add(claim("sleep", "600"));
                if (random.nextInt(3) == 0) {
                    Thread.sleep(random.nextInt(20));
                    claims.get(random.nextInt(claims.size())).kill();
                }
            }
            Await.until(
                    "each is bound, refused or killed", () -> claims.stream().allMatch(LeaseWork::isDecided));
            Map<String, Long> holders = new TreeMap<>();
            for (Child claim : claims) {
                if (!claim.isAlive()) {
                    int code = claim.exitCode();
                    if (code == 128 + 9) {
                        continue;
                    }
                    row.refused.incrementAndGet();
                    String said = claim.errors();
                    if (!said.startsWith("berth: ") || said.strip().contains("\n")) {
                        row.lost("exit code " + code + ": " + said);
                    }
                    continue;
                }
                String mask = ProcStatus.find(claim.pid(), claim.pid())
                        .map(ProcStatus::cpus)
                        .orElse("");
                Long other = mask.isEmpty() ? null : holders.put(mask, claim.pid());
                if (other != null || mask.equals(all)) {
                    row.escaped("processes " + other + " and " + claim.pid() + " have CPU " + mask);
                }
            }
        } finally {
            claims.forEach(Child::close);
        }
    }

    private Child claim(String... command) {
        DomainRequest request = DomainRequest.of("core").withSelect("exclusive").withLeases(directory.toString());
        return Child.start(
                new ProcessBuilder(LaunchWords.of(launcher).withDomain(request).before(List.of(command))));
    }

    private static boolean isDecided(Child claim) {
        try {
            return !claim.isAlive()
                    || Files.readString(Path.of("/proc/" + claim.pid() + "/comm"))
                            .startsWith("sleep");
        } catch (IOException ended) {
            return !claim.isAlive();
        }
    }

    /** When the hostile user has gone with its files, the next claim is served. */
    void requireAfterwards(Row row) {
        try (Child claim = claim("true")) {
            if (claim.exitCode() != 0) {
                row.lost("after the end of the hostile user: " + claim.errors());
            }
        }
    }

    @Override
    public void close() {
        // The folder goes with all others.
    }
}
