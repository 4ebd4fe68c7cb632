package org.berth.mapreduce.client;

import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import javax.security.auth.Subject;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.security.Credentials;
import org.apache.hadoop.security.UserGroupInformation;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The users in whose name a job runs in this JVM: copies of the one who submitted it. Hadoop shares a file system between all that have
 * the same user object, so that a task which closes its own would close everybody's. What runs at the same time has different copies.
 * A copy is used again, with the file systems and connections that are open already; it has the tokens and Kerberos tickets that its
 * original has when it is taken. Thread-safe.
 */
public final class TaskUsers implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TaskUsers.class);
    private static @Nullable TaskUsers ofLogin;

    private final UserGroupInformation user;
    private final boolean stays;
    private final Deque<Copy> forCode = new ArrayDeque<>();
    private final Deque<Copy> forFiles = new ArrayDeque<>();
    private final List<Copy> all = new ArrayList<>();

    private record Copy(UserGroupInformation user, @Nullable Subject subject) {}

    private TaskUsers(UserGroupInformation user, boolean stays) {
        this.user = user;
        this.stays = stays;
    }

    /** Returns the copies of a user. Those of the user of this JVM stay for later jobs; others end with {@link #close}. */
    public static synchronized TaskUsers of(UserGroupInformation user) throws IOException {
        if (!user.equals(UserGroupInformation.getLoginUser())) {
            return new TaskUsers(user, false);
        }
        if (ofLogin == null || !ofLogin.user.equals(user)) {
            ofLogin = new TaskUsers(user, true);
        }
        return ofLogin;
    }

    /** The copies of one attempt, or of the thread of a job: one for code of the user, another for what the engine opens. */
    public final class Lease implements AutoCloseable {
        private @Nullable Copy code;
        private @Nullable Copy files;

        private Lease() {}

        /** Runs code of the user; errors are those of Hadoop's {@code doAs}. */
        public <T extends @Nullable Object> T run(PrivilegedExceptionAction<T> work)
                throws IOException, InterruptedException {
            Copy copy;
            synchronized (TaskUsers.this) {
                copy = code == null ? ready(forCode.poll()) : code;
                code = copy;
            }
            return copy.user().doAs(work);
        }

        /** Opens input or output, or publishes it, with file systems that code of the user does not see. */
        public <T extends @Nullable Object> T open(PrivilegedExceptionAction<T> work)
                throws IOException, InterruptedException {
            Copy copy;
            synchronized (TaskUsers.this) {
                copy = files == null ? ready(forFiles.poll()) : files;
                files = copy;
            }
            return copy.user().doAs(work);
        }

        /** Releases the copies; their file systems stay open. */
        @Override
        public void close() {
            synchronized (TaskUsers.this) {
                if (code != null) {
                    forCode.push(code);
                }
                if (files != null) {
                    forFiles.push(files);
                }
                code = null;
                files = null;
            }
        }
    }

    /** Returns copies that nothing else has until they are released. */
    public Lease lease() {
        return new Lease();
    }

    private Copy ready(@Nullable Copy former) {
        Copy copy = former;
        try {
            if (copy == null) {
                copy = copy();
                all.add(copy);
            }
            if (copy.subject() != null) {
                refresh(copy.subject());
            }
            return copy;
        } catch (ReflectiveOperationException | RuntimeException e) {
            LOG.warn("tasks share their file systems with the client: {}", e.toString());
            return copy == null ? new Copy(user, null) : copy;
        }
    }

    /** Hadoop has no public way to another object for the same user, with its tickets and the user that it stands for. */
    private Copy copy() throws ReflectiveOperationException {
        Subject subject = new Subject();
        subject.getPrincipals().addAll(subjectOf(user).getPrincipals());
        subject.getPublicCredentials().addAll(subjectOf(user).getPublicCredentials());
        Constructor<UserGroupInformation> constructor =
                UserGroupInformation.class.getDeclaredConstructor(Subject.class);
        constructor.setAccessible(true);
        return new Copy(constructor.newInstance(subject), subject);
    }

    private static Subject subjectOf(UserGroupInformation user) throws ReflectiveOperationException {
        Method method = UserGroupInformation.class.getDeclaredMethod("getSubject");
        method.setAccessible(true);
        return (Subject) method.invoke(user);
    }

    /** Tokens and tickets are renewed, and a task may have added tokens of its own. */
    private void refresh(Subject subject) throws ReflectiveOperationException {
        List<Object> wanted = new ArrayList<>();
        Set<Object> present = subjectOf(user).getPrivateCredentials();
        // The lock of Hadoop's own logins.
        synchronized (present) {
            wanted.addAll(present);
        }
        wanted.removeIf(Credentials.class::isInstance);
        wanted.add(user.getCredentials());
        Set<Object> copied = subject.getPrivateCredentials();
        synchronized (copied) {
            // A thread that an attempt has left behind may use them.
            copied.addAll(wanted);
            copied.retainAll(wanted);
        }
    }

    /** Closes the file systems that tasks have left open. */
    @Override
    public void close() {
        if (stays) {
            return;
        }
        List<Copy> left;
        synchronized (this) {
            left = List.copyOf(all);
            all.clear();
            forCode.clear();
            forFiles.clear();
        }
        for (Copy copy : left) {
            try {
                FileSystem.closeAllForUGI(copy.user());
            } catch (IOException | RuntimeException e) {
                LOG.warn("cannot close the file systems of tasks: {}", e.toString());
            }
        }
    }
}
