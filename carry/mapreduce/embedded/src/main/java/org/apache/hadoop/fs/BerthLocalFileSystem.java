package org.apache.hadoop.fs;

import java.io.File;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.util.Progressable;
import org.berth.mapreduce.embedded.cache.BlockCache;
import org.berth.mapreduce.embedded.cache.BlockInput;
import org.berth.mapreduce.embedded.cache.BlockOutput;
import org.berth.mapreduce.embedded.cache.FileScope;
import org.berth.mapreduce.embedded.cache.FileVersion;
import org.berth.mapreduce.embedded.cache.MemoryFile;
import org.berth.mapreduce.embedded.cache.MemoryFiles;
import org.berth.mapreduce.embedded.cache.MemoryInput;
import org.berth.mapreduce.embedded.cache.MemoryOutput;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * The local file system below Hadoop's checksums, with files that are in memory. Threads outside of jobs read the disk, and see files
 * without a disk.
 */
@NullMarked
@SuppressWarnings("NullAway") // null is Hadoop's word for: none
public final class BerthLocalFileSystem extends RawLocalFileSystem {
    private final LocalFileSystem above;
    private final BlockCache cache = BlockCache.ofJvm();
    private final MemoryFiles memory = MemoryFiles.ofJvm();

    private BerthLocalFileSystem(LocalFileSystem above) {
        this.above = above;
    }

    /**
     * Puts itself below a local file system, so that each program that has this object already sees the same files.
     *
     * @return false when the file system is of another kind
     */
    public static synchronized boolean install(FileSystem fileSystem) throws IOException {
        if (!(fileSystem instanceof LocalFileSystem local) || fileSystem.getClass() != LocalFileSystem.class) {
            return false;
        }
        if (local.fs instanceof BerthLocalFileSystem) {
            return true;
        }
        if (local.fs.getClass() != RawLocalFileSystem.class) {
            return false;
        }
        BerthLocalFileSystem below = new BerthLocalFileSystem(local);
        below.initialize(local.fs.getUri(), local.fs.getConf());
        below.setWorkingDirectory(local.fs.getWorkingDirectory());
        local.fs = below;
        return true;
    }

    private String key(Path path) {
        return pathToFile(path).getPath();
    }

    private @Nullable MemoryFile inMemory(Path path) {
        return memory.isEmpty() ? null : memory.get(key(path));
    }

    private FileStatus status(MemoryFile file) throws IOException {
        return new FileStatus(
                file.sizeBytes(),
                false,
                1,
                getDefaultBlockSize(new Path(file.path())),
                file.modifiedMillis(),
                file.modifiedMillis(),
                file.permission(),
                UserGroupInformation.getCurrentUser().getShortUserName(),
                null,
                new Path(file.path()).makeQualified(getUri(), getWorkingDirectory()));
    }

    /** Writes a file to the disk under a name, and forgets it. */
    private void toDisk(MemoryFile file, Path path) throws IOException {
        file.goesToDisk();
        try (FSDataOutputStream out = disk(path, file.permission())) {
            file.copyTo(out);
        }
        super.setTimes(path, file.modifiedMillis(), -1);
        memory.remove(file);
    }

    private FSDataOutputStream disk(Path path, FsPermission permission) throws IOException {
        return super.create(path, permission, true, 64 << 10, (short) 1, getDefaultBlockSize(path), null);
    }

    private void toDisk(Path path) throws IOException {
        MemoryFile file = inMemory(path);
        if (file != null) {
            toDisk(file, path);
        }
    }

    @Override
    public FSDataInputStream open(Path path, int bufferSize) throws IOException {
        FileScope scope = FileScope.current();
        MemoryFile file = inMemory(path);
        if (file != null) {
            return new FSDataInputStream(new MemoryInput(file, scope, statistics));
        }
        if (scope != null && scope.keeps(key(path))) {
            BlockInput input = BlockInput.open(pathToFile(path), scope, statistics);
            if (input != null) {
                return new FSDataInputStream(input);
            }
        }
        return super.open(path, bufferSize);
    }

    private interface OnDisk {
        FSDataOutputStream create() throws IOException;
    }

    private FSDataOutputStream create(
            Path path, @Nullable FsPermission permission, boolean overwrite, boolean makeParent, OnDisk onDisk)
            throws IOException {
        FileScope scope = FileScope.current();
        String key = key(path);
        if (scope != null && scope.isTransient(key)) {
            return createInMemory(path, permission, overwrite, makeParent, scope);
        }
        if (inMemory(path) != null) {
            if (!overwrite) {
                throw new FileAlreadyExistsException("File already exists: " + path);
            }
            memory.remove(key);
        }
        cache.drop(key);
        FSDataOutputStream disk = onDisk.create();
        return scope != null && scope.keeps(key)
                ? new FSDataOutputStream(new BlockOutput(pathToFile(path), disk, scope), null)
                : disk;
    }

    private FSDataOutputStream createInMemory(
            Path path, @Nullable FsPermission permission, boolean overwrite, boolean makeParent, FileScope scope)
            throws IOException {
        if (exists(path) && !overwrite) {
            throw new FileAlreadyExistsException("File already exists: " + path);
        }
        Path parent = path.getParent();
        if (makeParent && parent != null && !mkdirs(parent)) {
            throw new IOException("Mkdirs failed to create " + parent);
        }
        File real = pathToFile(path);
        if (real.isDirectory() || !real.getParentFile().isDirectory()) {
            throw new FileNotFoundException(path + (real.isDirectory() ? " (Is a directory)" : ": no such folder"));
        }
        if (real.exists() && !real.delete()) {
            throw new IOException("cannot replace " + path);
        }
        cache.drop(key(path));
        FsPermission mode = (permission == null ? FsPermission.getFileDefault() : permission)
                .applyUMask(FsPermission.getUMask(getConf()));
        return new FSDataOutputStream(
                new MemoryOutput(memory, key(path), mode, scope, name -> disk(new Path(name), mode)), statistics);
    }

    @Override
    public FSDataOutputStream create(
            Path path, boolean overwrite, int bufferSize, short replication, long blockSize, Progressable progress)
            throws IOException {
        return create(
                path,
                null,
                overwrite,
                true,
                () -> super.create(path, overwrite, bufferSize, replication, blockSize, progress));
    }

    @Override
    public FSDataOutputStream create(
            Path path,
            FsPermission permission,
            boolean overwrite,
            int bufferSize,
            short replication,
            long blockSize,
            Progressable progress)
            throws IOException {
        return create(
                path,
                permission,
                overwrite,
                true,
                () -> super.create(path, permission, overwrite, bufferSize, replication, blockSize, progress));
    }

    @Override
    public FSDataOutputStream createNonRecursive(
            Path path,
            FsPermission permission,
            boolean overwrite,
            int bufferSize,
            short replication,
            long blockSize,
            Progressable progress)
            throws IOException {
        return create(
                path,
                permission,
                overwrite,
                false,
                () -> super.createNonRecursive(
                        path, permission, overwrite, bufferSize, replication, blockSize, progress));
    }

    @Override
    public FSDataOutputStream createNonRecursive(
            Path path,
            FsPermission permission,
            EnumSet<CreateFlag> flags,
            int bufferSize,
            short replication,
            long blockSize,
            Progressable progress)
            throws IOException {
        return create(
                path,
                permission,
                flags.contains(CreateFlag.OVERWRITE),
                false,
                () -> super.createNonRecursive(path, permission, flags, bufferSize, replication, blockSize, progress));
    }

    @Override
    public FSDataOutputStream append(Path path, int bufferSize, Progressable progress) throws IOException {
        toDisk(path);
        cache.drop(key(path));
        return super.append(path, bufferSize, progress);
    }

    @Override
    public boolean truncate(Path path, long newLength) throws IOException {
        toDisk(path);
        cache.drop(key(path));
        return super.truncate(path, newLength);
    }

    @Override
    public boolean rename(Path from, Path to) throws IOException {
        MemoryFile file = inMemory(from);
        if (file != null) {
            return renameInMemory(file, from, to);
        }
        if (pathToFile(from).isDirectory()) {
            return renameFolder(from, to);
        }
        FileScope scope = FileScope.current();
        FileVersion before =
                scope == null ? null : FileVersion.of(pathToFile(from).toPath());
        if (!super.rename(from, to)) {
            return false;
        }
        // Outside of jobs nothing waits until a change after the rename gives the file another version.
        FileVersion after = scope == null ? null : FileVersion.of(pathToFile(to).toPath());
        cache.move(key(from), key(to), before, after);
        if (scope != null && after != null) {
            scope.changed(after);
        }
        return true;
    }

    private boolean renameInMemory(MemoryFile file, Path from, Path to) throws IOException {
        Path target = pathToFile(to).isDirectory() ? new Path(to, from.getName()) : to;
        if (pathToFile(target).isDirectory() || (target.getParent() != null && !mkdirs(target.getParent()))) {
            return false;
        }
        if (key(target).equals(file.path())) {
            return true;
        }
        cache.drop(key(target));
        if (!file.mayBe(key(target))) {
            memory.remove(key(target));
            toDisk(file, target);
            return true;
        }
        File real = pathToFile(target);
        if (real.exists() && !real.delete()) {
            return false;
        }
        memory.move(file, key(target));
        return true;
    }

    private boolean renameFolder(Path from, Path to) throws IOException {
        // Under the lock: a look at a file between the two renames would find that its folder is gone.
        synchronized (memory) {
            for (MemoryFile file : memory.below(key(to))) {
                toDisk(file, new Path(file.path()));
            }
            memory.below(key(from));
            if (!super.rename(from, to)) {
                return false;
            }
            if (pathToFile(from).exists()) {
                return true;
            }
            cache.moveTree(key(from), key(to));
            for (MemoryFile file : memory.moveTree(key(from), key(to))) {
                if (!file.mayBe(file.path())) {
                    toDisk(file, new Path(file.path()));
                }
            }
            return true;
        }
    }

    @Override
    public boolean delete(Path path, boolean recursive) throws IOException {
        if (inMemory(path) != null) {
            return memory.remove(key(path));
        }
        List<MemoryFile> below = memory.isEmpty() ? List.of() : memory.below(key(path));
        if (!recursive && !below.isEmpty()) {
            throw new IOException("Directory " + path + " is not empty");
        }
        boolean done = super.delete(path, recursive);
        below.forEach(memory::remove);
        cache.dropTree(key(path));
        return done;
    }

    @Override
    public FileStatus[] listStatus(Path path) throws IOException {
        MemoryFile file = inMemory(path);
        if (file != null) {
            return new FileStatus[] {status(file)};
        }
        FileStatus[] disk = super.listStatus(path);
        List<MemoryFile> files = memory.isEmpty() ? List.of() : memory.in(key(path));
        if (files.isEmpty()) {
            return disk;
        }
        List<FileStatus> all = new ArrayList<>(Arrays.asList(disk));
        Set<String> names = all.stream().map(found -> found.getPath().getName()).collect(Collectors.toSet());
        for (MemoryFile next : files) {
            if (!names.contains(new Path(next.path()).getName())) {
                all.add(status(next));
            }
        }
        return all.toArray(FileStatus[]::new);
    }

    @Override
    public boolean exists(Path path) throws IOException {
        return inMemory(path) != null || super.exists(path);
    }

    @Override
    public boolean mkdirs(Path path) throws IOException {
        refuseBelowFile(path);
        return super.mkdirs(path);
    }

    @Override
    public boolean mkdirs(Path path, FsPermission permission) throws IOException {
        refuseBelowFile(path);
        return super.mkdirs(path, permission);
    }

    private void refuseBelowFile(Path path) throws IOException {
        if (memory.isEmpty()) {
            return;
        }
        if (inMemory(path) != null) {
            throw new FileAlreadyExistsException("Destination exists and is not a directory: " + path);
        }
        if (path.getParent() != null && inMemory(path.getParent()) != null) {
            throw new ParentNotDirectoryException("Parent path is not a directory: " + path.getParent());
        }
    }

    @Override
    public FileStatus getFileStatus(Path path) throws IOException {
        MemoryFile file = inMemory(path);
        return file == null ? super.getFileStatus(path) : status(file);
    }

    @Override
    public FileStatus getFileLinkStatus(Path path) throws IOException {
        MemoryFile file = inMemory(path);
        return file == null ? super.getFileLinkStatus(path) : status(file);
    }

    @Override
    public void setOwner(Path path, String user, String group) throws IOException {
        toDisk(path);
        super.setOwner(path, user, group);
    }

    @Override
    public void setPermission(Path path, FsPermission permission) throws IOException {
        MemoryFile file = inMemory(path);
        if (file == null) {
            super.setPermission(path, permission);
        } else {
            file.permission(permission);
        }
    }

    @Override
    public void setTimes(Path path, long modifiedMillis, long accessMillis) throws IOException {
        MemoryFile file = inMemory(path);
        if (file == null) {
            super.setTimes(path, modifiedMillis, accessMillis);
        } else if (modifiedMillis >= 0) {
            file.modified(modifiedMillis);
        }
    }

    /** A program that closes its file system must find its files with the next one that it gets. */
    @Override
    public void close() throws IOException {
        super.close();
        if (!memory.isEmpty()) {
            addFileSystemForTesting(getUri(), getConf(), above);
        }
    }
}
