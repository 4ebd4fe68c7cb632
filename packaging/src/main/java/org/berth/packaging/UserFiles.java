package org.berth.packaging;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.berth.cli.Main;
import picocli.AutoComplete;
import picocli.CommandLine;

/** Writes the manual pages and the completion of three shells into the folders of an archive. */
public final class UserFiles {
    private static final String COMMAND = "berth";

    private UserFiles() {}

    /** Takes the folder {@code share} of the archive, the version, and the date of the manual pages. */
    public static void main(String[] args) throws IOException {
        if (args.length != 3) {
            System.err.println("berth: usage: UserFiles FOLDER VERSION DATE");
            System.exit(2);
        }
        write(Path.of(args[0]), args[1], args[2]);
    }

    static void write(Path share, String version, String date) throws IOException {
        CommandLine berth = Main.commandLine();
        Path manual = Files.createDirectories(share.resolve("man/man1"));
        writePages(manual, berth, version, date);
        // A shell sources it: without the line for the kernel, which Debian's lintian warns of.
        String bash = AutoComplete.bash(COMMAND, berth).replaceFirst("^#!.*\n", "");
        put(share.resolve("bash-completion/completions"), COMMAND, bash);
        // Zsh calls the file as a function at the first completion; the last line answers that one, too. Within a
        // function picocli's alias for bash's compopt comes too late.
        put(
                share.resolve("zsh/site-functions"),
                "_berth",
                "#compdef berth\nfunction compopt { : }\n" + bash + "\n_bash_complete -o default -F _complete_berth\n");
        put(share.resolve("fish/vendor_completions.d"), "berth.fish", FishCompletion.of(berth));
    }

    /** The page of a command, and those of its own commands. */
    private static void writePages(Path manual, CommandLine command, String version, String date) throws IOException {
        Files.writeString(
                manual.resolve(command.getCommandSpec().qualifiedName("-") + ".1"),
                new ManualPage(command, version, date).text());
        for (CommandLine one : command.getSubcommands().values()) {
            writePages(manual, one, version, date);
        }
    }

    private static void put(Path folder, String file, String text) throws IOException {
        Files.writeString(Files.createDirectories(folder).resolve(file), text);
    }
}
