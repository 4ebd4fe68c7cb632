package org.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.ThrowTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.DocTrees;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePathScanner;
import com.sun.source.util.TreeScanner;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import javax.lang.model.element.Modifier;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Everything public in the library says what it is; classes say which threads may use them; packages have an example.
 */
class ApiDocumentationTest {
    /** What a class says that is public for another package of its module only. */
    private static final String NOT_API = "is not part of the API";

    private static final Path TOP = Path.of("..").toAbsolutePath().normalize();

    @ParameterizedTest
    @CsvSource({
        "place/topology, topology",
        "place/observation, observation",
        "place/placement, placement",
        "place/binding, binding",
        "place/testing, testing",
        "place/drawing, drawing/machine",
        "place/drawing, drawing/timeline",
        "carry/transport, transport"
    })
    void isComplete(String module, String folder) throws IOException {
        Path sources = TOP.resolve(module).resolve("src/main/java/org/berth").resolve(folder);
        List<String> faults = new ArrayList<>();
        JavaCompiler compiler = Objects.requireNonNull(ToolProvider.getSystemJavaCompiler());
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
            JavacTask task = (JavacTask)
                    compiler.getTask(null, files, null, null, null, files.getJavaFileObjectsFromFiles(java(sources)));
            DocTrees docs = DocTrees.instance(task);
            for (CompilationUnitTree unit : task.parse()) {
                new Scanner(docs, faults).scan(unit, null);
            }
        }
        String about = Files.readString(sources.resolve("package-info.java"));
        assertThat(about).as("the package's example").contains("<pre>{@code");
        assertThat(faults).isEmpty();
    }

    private static List<File> java(Path sources) throws IOException {
        try (Stream<Path> files = Files.walk(sources)) {
            return files.filter(file -> file.toString().endsWith(".java"))
                    .filter(file -> !file.endsWith("package-info.java"))
                    .filter(file -> !file.toString().contains("/internal/"))
                    .map(Path::toFile)
                    .toList();
        }
    }

    private static final class Scanner extends TreePathScanner<@Nullable Void, @Nullable Void> {
        private final DocTrees docs;
        private final List<String> faults;

        Scanner(DocTrees docs, List<String> faults) {
            this.docs = docs;
            this.faults = faults;
        }

        @Override
        public @Nullable Void visitClass(ClassTree type, @Nullable Void ignored) {
            if (!isPublic(type.getModifiers().getFlags())) {
                return null;
            }
            String doc = doc();
            if (doc.contains(NOT_API)) {
                return null;
            }
            if (doc.isEmpty()) {
                faults.add(type.getSimpleName() + " says nothing");
            } else if (type.getKind() == Tree.Kind.CLASS
                    && !type.getSimpleName().toString().endsWith("Exception")
                    && !doc.matches("(?s).*(?i:thread|immutable|pure).*")) {
                faults.add(type.getSimpleName() + " does not say which threads may use it");
            }
            boolean outermost = getCurrentPath().getParentPath().getLeaf() instanceof CompilationUnitTree;
            if (outermost && !doc.matches("(?s).*@since \\d+\\.\\d+\\.\\d+.*")) {
                faults.add(type.getSimpleName() + " does not say since which version it exists");
            }
            return super.visitClass(type, null);
        }

        @Override
        public @Nullable Void visitMethod(MethodTree method, @Nullable Void ignored) {
            boolean overrides = method.getModifiers().getAnnotations().stream()
                    .anyMatch(annotation ->
                            annotation.getAnnotationType().toString().equals("Override"));
            Tree owner = getCurrentPath().getParentPath().getLeaf();
            boolean compact =
                    owner.getKind() == Tree.Kind.RECORD && method.getName().contentEquals("<init>");
            boolean visible = isPublic(method.getModifiers().getFlags()) || owner.getKind() == Tree.Kind.INTERFACE;
            if (visible && !overrides && !compact && doc().isEmpty()) {
                faults.add(((ClassTree) owner).getSimpleName() + "." + method.getName() + " says nothing");
            }
            if (visible && !overrides && throwsByItself(method) && !doc().matches("(?s).*(@throws|Exception).*")) {
                faults.add(
                        ((ClassTree) owner).getSimpleName() + "." + method.getName() + " does not say what it throws");
            }
            // What is inside a method is nobody's API.
            return null;
        }

        private static boolean throwsByItself(MethodTree method) {
            boolean[] found = {false};
            new TreeScanner<@Nullable Void, @Nullable Void>() {
                @Override
                public @Nullable Void visitThrow(ThrowTree thrown, @Nullable Void ignored) {
                    found[0] = true;
                    return null;
                }
            }.scan(method.getBody(), null);
            return found[0];
        }

        private static boolean isPublic(Set<Modifier> modifiers) {
            return modifiers.contains(Modifier.PUBLIC) || modifiers.contains(Modifier.PROTECTED);
        }

        private String doc() {
            String comment = docs.getDocComment(getCurrentPath());
            return comment == null ? "" : comment;
        }
    }
}
