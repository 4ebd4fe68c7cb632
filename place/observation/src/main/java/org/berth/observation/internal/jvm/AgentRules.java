package org.berth.observation.internal.jvm;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.berth.observation.Reading;
import org.berth.observation.Refusal;
import org.berth.text.ForeignText;

/**
 * The thread rules of the agent in a JVM, with the threads that they have. The agent writes them into a file in memory,
 * which is read without asking the JVM. Immutable.
 *
 * @param renamesFollowed whether a thread that renames itself gets what the rule of its new name gives
 * @param waiting whether rules without a thread are still normal: the JVM is in its first minute, or the agent was told
 *     never to report them
 * @see <a href="https://man7.org/linux/man-pages/man2/memfd_create.2.html">memfd_create(2)</a>
 * @since 0.1.0
 */
public record AgentRules(boolean renamesFollowed, boolean waiting, List<Rule> rules) {
    private static final String FILE = "/memfd:berth-rules";
    private static final int LIMIT_BYTES = 1 << 20;
    private static final int ATTEMPTS = 10;

    private static final Pattern RULE =
            Pattern.compile("rule threads=([0-9]{1,9}) (matched|missed|unmatched) target=(.*?) glob=(.*)");

    public AgentRules {
        rules = List.copyOf(rules);
    }

    /**
     * A rule.
     *
     * @param glob for names of threads; {@code @gc}, {@code @jit}, {@code @carriers}
     * @param target what its threads get, {@code slots 0-1}
     * @param threads that have the rule now
     * @param matched whether it has ever had one
     * @param missed whether it has had none, though a user wrote it to move some
     */
    public record Rule(String glob, String target, int threads, boolean matched, boolean missed) {}

    /**
     * The rules of a process; absent when it has no agent with rules, refused when it is another user's.
     *
     * @param root the folder with {@code proc} in it
     */
    public static Reading<AgentRules> of(long pid, Path root) {
        try (DirectoryStream<Path> links = Files.newDirectoryStream(root.resolve("proc/" + pid + "/fd"))) {
            for (Path link : links) {
                if (isRules(link)) {
                    return read(link)
                            .<Reading<AgentRules>>map(Reading::of)
                            .orElseGet(() -> Reading.refused(new Refusal(
                                    "what the agent wrote in " + link + " cannot be parsed, or changes all the time",
                                    "use the berth of the agent's version")));
                }
            }
        } catch (NoSuchFileException ended) {
            return Reading.absent("there is no process " + pid);
        } catch (IOException | DirectoryIteratorException unreadable) {
            Path process = root.resolve("proc/" + pid);
            return Reading.refused(Refusal.of(process.resolve("fd"), process));
        }
        return Reading.absent("no agent with thread rules is in process " + pid);
    }

    /** In a container another file may have that name: one that is opened must not be a pipe. */
    private static boolean isRules(Path link) throws AccessDeniedException {
        try {
            return Files.readSymbolicLink(link).toString().startsWith(FILE) && Files.isRegularFile(link);
        } catch (AccessDeniedException refused) {
            // Who may list the links may still not see where they lead.
            throw refused;
        } catch (IOException closed) {
            return false;
        }
    }

    /** The agent may be writing. */
    private static Optional<AgentRules> read(Path link) throws IOException {
        String before = "";
        for (int i = 0; i < ATTEMPTS; i++) {
            String text = text(link);
            if (text.equals(before)) {
                return parse(text);
            }
            before = text;
        }
        return Optional.empty();
    }

    private static String text(Path link) throws IOException {
        try (InputStream in = Files.newInputStream(link)) {
            return new String(in.readNBytes(LIMIT_BYTES), StandardCharsets.UTF_8);
        }
    }

    /** Lines that are unknown are passed over: a newer agent may write more. */
    static Optional<AgentRules> parse(String text) {
        List<String> lines = text.lines().toList();
        if (!lines.contains("berth-rules 1") || !lines.contains("end")) {
            return Optional.empty();
        }
        List<Rule> rules = new ArrayList<>();
        for (String line : lines) {
            Matcher rule = RULE.matcher(line);
            if (rule.matches()) {
                rules.add(new Rule(
                        ForeignText.clean(rule.group(4)),
                        ForeignText.clean(rule.group(3)),
                        Integer.parseInt(rule.group(1)),
                        rule.group(2).equals("matched"),
                        rule.group(2).equals("missed")));
            }
        }
        return Optional.of(new AgentRules(lines.contains("renames followed"), !lines.contains("waiting no"), rules));
    }
}
