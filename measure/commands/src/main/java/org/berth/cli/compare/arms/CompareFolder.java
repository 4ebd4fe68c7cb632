package org.berth.cli.compare.arms;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import org.berth.cli.shared.CommandException;
import org.berth.cli.shared.IoErrors;
import org.berth.experiments.Experiment;
import org.berth.experiments.result.ExperimentResult;
import org.berth.experiments.run.DifferentExperimentException;
import org.berth.experiments.run.ExperimentRunner;
import org.berth.experiments.run.FailedPreparationException;
import org.berth.experiments.run.FailedWarmUpException;
import org.berth.experiments.run.UnwrittenResults;
import org.berth.observation.internal.PublicFiles;
import org.berth.placement.PlacementPlan;

/**
 * The folder with the results of a comparison. No other process writes into it before it is closed.
 *
 * @param resumed whether it holds an interrupted comparison that continues
 * @param made whether this command made it
 * @param lock empty for a part of a folder that is locked as a whole
 */
public record CompareFolder(Path path, boolean resumed, boolean made, Optional<ResultsLock> lock)
        implements AutoCloseable {
    /** The file that the results of one comparison have. */
    public static final String TRIALS = ExperimentRunner.TRIALS;

    /** A part of a folder of results. */
    public CompareFolder(Path path, boolean resumed) {
        this(path, resumed, false, Optional.empty());
    }

    /** Usage errors, before anything runs. */
    public static void check(Optional<Path> resume) {
        if (resume.isPresent() && !Files.isRegularFile(resume.get().resolve(TRIALS))) {
            throw CommandException.usage("--resume " + resume.get() + ": there is no " + TRIALS
                    + " in it; give the folder of an interrupted comparison");
        }
    }

    /** A new folder in the working directory, named by the present time: others may write there, and have taken that name. */
    private static Path fresh(String prefix) {
        Path name = Path.of(prefix
                + LocalDateTime.now(ZoneId.systemDefault()).format(DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss")));
        return create(name.toAbsolutePath().normalize());
    }

    /** A folder of a name that can be foreseen, which another user must not have made before. */
    public static CompareFolder openNew(Path path, PrintWriter err) {
        Path made = create(path);
        if (!made.equals(path)) {
            throw notMade(path, new FileAlreadyExistsException(path.toString()));
        }
        return locked(path, false, true, err);
    }

    private static CompareFolder locked(Path path, boolean resumed, boolean made, PrintWriter err) {
        return new CompareFolder(path, resumed, made, Optional.of(ResultsLock.take(path, err)));
    }

    /** Lets other processes write into the folder. */
    @Override
    public void close() {
        lock.ifPresent(ResultsLock::close);
    }

    /** Removes the folder that this command made when nothing was run: plans alone are of no use to anyone. */
    public void discard() {
        lock.ifPresent(ResultsLock::discard);
        if (!made || Files.exists(path.resolve(TRIALS))) {
            return;
        }
        try (DirectoryStream<Path> files = Files.newDirectoryStream(path)) {
            for (Path file : files) {
                Files.delete(file);
            }
            Files.delete(path);
        } catch (IOException stays) {
            // The reason why nothing was run is what the user must see.
        }
    }

    private static Path create(Path name) {
        try {
            return PublicFiles.newDirectory(name);
        } catch (IOException e) {
            throw notMade(name, e);
        }
    }

    private static CommandException notMade(Path folder, IOException e) {
        return CommandException.failure(
                "cannot create the folder for results " + folder + ": " + IoErrors.reason(e)
                        + "; give another --results",
                e);
    }

    /**
     * The folder that the options name, or a new one whose name begins with the prefix.
     *
     * @param holds what a folder has that is already one of results
     * @param err for what is to be known about the folder
     */
    public static CompareFolder open(
            Optional<Path> results, Optional<Path> resume, String prefix, String holds, PrintWriter err) {
        if (resume.isPresent()) {
            return locked(resume.get().toAbsolutePath().normalize(), true, false, err);
        }
        if (results.isEmpty()) {
            return locked(fresh(prefix), false, true, err);
        }
        Path folder = results.get().toAbsolutePath().normalize();
        boolean made = Files.notExists(folder);
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw notMade(folder, e);
        }
        CompareFolder opened = locked(folder, false, made, err);
        if (Files.exists(folder.resolve(holds))) {
            opened.close();
            throw CommandException.usage("--results " + folder
                    + ": it already holds results; give a new folder, or --resume " + folder + " to continue");
        }
        return opened;
    }

    /** The experiment in the order of the interrupted one, or unchanged. */
    public Experiment inOrder(Experiment experiment) {
        return resumed ? ExperimentRunner.inOrderOf(path, experiment) : experiment;
    }

    /** Runs an experiment in this folder, or continues the one that is there. */
    public ExperimentResult run(ExperimentRunner runner) {
        try {
            return resumed ? runner.resume() : runner.run();
        } catch (FailedPreparationException e) {
            throw notPrepared(path, e);
        } catch (FailedWarmUpException e) {
            throw CommandException.failure(
                    e.getMessage() + "; correct the command, and start again with another --results", e);
        } catch (DifferentExperimentException e) {
            throw CommandException.failure(
                    "cannot resume " + path + ": " + e.getMessage() + "; start again without --resume", e);
        } catch (IOException e) {
            throw notKept(e);
        }
    }

    /** What ends a comparison whose results cannot be read or written before the first run. */
    public CommandException notKept(IOException e) {
        return CommandException.failure(
                "cannot read or write the results in " + path + ": " + IoErrors.reason(e)
                        + "; correct it, or give another --results",
                e);
    }

    /** A run that was not prepared ends the command; the runs before it are kept. */
    public static CommandException notPrepared(Path folder, FailedPreparationException e) {
        return CommandException.failure(
                e.getMessage() + "; correct it, and continue with the same command line and --resume " + folder, e);
    }

    /** What ends a comparison whose results could not be written; those before are kept. */
    public CommandException notWritten(UnwrittenResults results) {
        return CommandException.failure(
                "cannot write " + results.file() + ": " + IoErrors.reason(results.cause())
                        + "; correct it, and continue with the same command line and --resume " + path,
                results.cause());
    }

    /** Writes the plan of an arm; a resumed comparison must find it unchanged. */
    public Path planFile(PlacementPlan plan, String arm) {
        Path file = path.resolve("plan-" + arm.replaceAll("[^A-Za-z0-9._-]", "_") + ".txt");
        try {
            if (resumed && Files.exists(file)) {
                if (!Files.readString(file).equals(plan.toText())) {
                    throw CommandException.failure("cannot resume " + path + ": the plan of " + arm + " differs from "
                            + file + "; give the same options, or start again");
                }
                return file;
            }
            return Files.writeString(file, plan.toText());
        } catch (IOException e) {
            throw CommandException.failure("cannot write the plan " + file + ": " + IoErrors.reason(e), e);
        }
    }
}
