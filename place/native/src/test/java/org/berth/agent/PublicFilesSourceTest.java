package org.berth.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** In C, public_files.c alone makes, renames, removes or opens to others a file: it knows what another user may have planted. */
@Tag("one-jdk")
class PublicFilesSourceTest {
    private static final Path SOURCES = Path.of("src/main/c");

    /** Calls that change a directory or a mode, or follow what is there; and reads of a name that is not the kernel's own. */
    private static final Pattern CALL = Pattern.compile(
            "(?<![\\w.>])(f?l?ch(?:mod|own)(?:at)?|mkdir(?:at)?|mko?s?temps?|mkdtemp|mkfifo(?:at)?|mknod(?:at)?|rename(?:at2?)?"
                    + "|symlink(?:at)?|linkat|unlink(?:at)?|rmdir|remove|truncate|open(?:at)?2?|f(?:re)?open|creat|tmpfile|shm_open"
                    + "|opendir|syscall)\\(([^;{]*)");

    private static final Pattern FILE_CALL =
            Pattern.compile("SYS_(?:rename|fchmod|fchown|mkdir|link|symlink|unlink|mknod|open)");

    /** Files whose names other users cannot choose, or that the user gives in full. */
    private static final Set<String> ELSEWHERE = Set.of(
            "follower.c: opendir", // /proc/PID/task
            "file_text.c: open", // /proc, /sys, and files that the user names
            "heap_option.c: open", // the JVM
            "jvm_logs.c: opendir", // where the user keeps the log, whose entries are looked at without following them
            "usage_recorder.c: fopen"); // the user's, by its whole name

    @Test
    void onlyOneModuleMakesFilesWhereAllUsersWrite() throws Exception {
        Set<String> found = new TreeSet<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(SOURCES, "*.c")) {
            for (Path file : files) {
                if (!file.endsWith("public_files.c")) {
                    calls(Files.readString(file)).forEach(call -> found.add(file.getFileName() + ": " + call));
                }
            }
        }
        assertThat(found)
                .as("public_files.c must do it, or the name is not one that another user could have taken")
                .isSubsetOf(ELSEWHERE);
        assertThat(calls("mkdirat(parent, draft, 0700) < 0; a = open(\"/proc/stat\"); b = fopen(name, \"we\");"
                        + " syscall(SYS_renameat2, a); syscall(SYS_getrandom, a);"))
                .as("the pattern itself")
                .containsExactly("mkdirat", "fopen", "syscall");
    }

    private static List<String> calls(String source) {
        List<String> calls = new ArrayList<>();
        Matcher call = CALL.matcher(source.replaceAll("(?s)/\\*.*?\\*/", ""));
        while (call.find()) {
            String arguments = call.group(2);
            boolean ofKernel = arguments.startsWith("\"/proc")
                    || arguments.startsWith("\"/dev/null\"")
                    || arguments.startsWith("TASKS")
                    || (call.group(1).equals("syscall")
                            && !FILE_CALL.matcher(arguments).lookingAt())
                    || arguments.startsWith("folder, \".\", ");
            if (!ofKernel) {
                calls.add(call.group(1));
            }
        }
        return calls;
    }
}
