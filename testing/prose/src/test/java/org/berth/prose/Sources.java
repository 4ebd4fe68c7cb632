package org.berth.prose;

import com.sun.source.doctree.DocCommentTree;
import com.sun.source.doctree.DocTree;
import com.sun.source.tree.AnnotationTree;
import com.sun.source.tree.BinaryTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.LiteralTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.ModifiersTree;
import com.sun.source.tree.PackageTree;
import com.sun.source.tree.ParenthesizedTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.DocTrees;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePathScanner;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import javax.lang.model.element.Modifier;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.berth.prose.Passage.Kind;
import org.jspecify.annotations.Nullable;

/**
 * The prose of Java sources, found with the compiler's own parser: first sentences of javadoc, and strings that users
 * see.
 */
final class Sources extends TreePathScanner<@Nullable Void, @Nullable Void> {
    /** Four words of letters in a row: shorter strings are keys, words of options and file names. */
    private static final Pattern SENTENCE =
            Pattern.compile("(?:[A-Za-z]['’A-Za-z,:;-]*\\s+(?:'?%[sd]'?\\s+)?){3}[a-z]+");

    /** Drawings, JSON, queries, patterns and shell scripts. */
    private static final Pattern MARKUP = Pattern.compile("[<>{}\\\\|]|\\$\\(|; |==|&&|\\bselect\\b|--\\w+ --");

    private final DocTrees docs;
    private final String file;
    private final CompilationUnitTree unit;
    private final List<Passage> passages = new ArrayList<>();

    private Sources(DocTrees docs, String file, CompilationUnitTree unit) {
        this.docs = docs;
        this.file = file;
        this.unit = unit;
    }

    static List<Passage> read(List<Path> files) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        List<Passage> passages = new ArrayList<>();
        try (StandardJavaFileManager manager =
                compiler.getStandardFileManager(null, Locale.ROOT, StandardCharsets.UTF_8)) {
            JavacTask task = (JavacTask) compiler.getTask(
                    null,
                    manager,
                    problem -> {},
                    List.of("-proc:none"),
                    null,
                    manager.getJavaFileObjectsFromPaths(files));
            DocTrees docs = DocTrees.instance(task);
            for (CompilationUnitTree unit : task.parse()) {
                String file =
                        org.berth.prose.Tree.name(Path.of(unit.getSourceFile().toUri()));
                Sources sources = new Sources(docs, file, unit);
                sources.scan(unit, null);
                passages.addAll(sources.passages);
            }
        }
        return passages;
    }

    @Override
    public @Nullable Void visitPackage(PackageTree tree, @Nullable Void nothing) {
        comment(Kind.JAVADOC);
        return super.visitPackage(tree, null);
    }

    @Override
    public @Nullable Void visitClass(ClassTree tree, @Nullable Void nothing) {
        comment(kind(tree.getModifiers()));
        return super.visitClass(tree, null);
    }

    @Override
    public @Nullable Void visitMethod(MethodTree tree, @Nullable Void nothing) {
        comment(kind(tree.getModifiers()));
        return super.visitMethod(tree, null);
    }

    @Override
    public @Nullable Void visitVariable(VariableTree tree, @Nullable Void nothing) {
        comment(kind(tree.getModifiers()));
        return super.visitVariable(tree, null);
    }

    @Override
    public @Nullable Void visitAnnotation(AnnotationTree tree, @Nullable Void nothing) {
        boolean words = tree.getAnnotationType().toString().equals("SuppressWarnings");
        return words ? null : super.visitAnnotation(tree, null);
    }

    @Override
    public @Nullable Void visitBinary(BinaryTree tree, @Nullable Void nothing) {
        StringBuilder text = new StringBuilder();
        if (tree.getKind() == Tree.Kind.PLUS && join(tree, text)) {
            message(tree, text.toString());
            return null;
        }
        return super.visitBinary(tree, null);
    }

    @Override
    public @Nullable Void visitLiteral(LiteralTree tree, @Nullable Void nothing) {
        if (tree.getValue() instanceof String text) {
            message(tree, text);
        }
        return null;
    }

    /** Appends a concatenation, with code for each part that is no literal. */
    private static boolean join(Tree tree, StringBuilder text) {
        if (tree instanceof BinaryTree sum && tree.getKind() == Tree.Kind.PLUS) {
            boolean left = join(sum.getLeftOperand(), text);
            return join(sum.getRightOperand(), text) || left;
        }
        if (tree instanceof ParenthesizedTree parentheses) {
            return join(parentheses.getExpression(), text);
        }
        if (tree instanceof LiteralTree literal && literal.getValue() instanceof String part) {
            text.append(part);
            return true;
        }
        text.append(Passage.CODE);
        return false;
    }

    private void message(Tree tree, String text) {
        if (SENTENCE.matcher(text).find()
                && !MARKUP.matcher(text.replaceAll("\\$\\{[\\w-]+}", "")).find()) {
            long start = docs.getSourcePositions().getStartPosition(unit, tree);
            passages.add(new Passage(Kind.MESSAGE, file, line(start), maskMessage(text)));
        }
    }

    private static String maskMessage(String text) {
        return text.replaceAll("\\$\\{[\\w-]+}|%(?:\\d\\$)?[-,.0-9]*[sdf]|@\\|\\w+ |\\|@", Passage.CODE)
                .replaceAll("%n", "\n")
                .replace("%%", "%")
                .replaceAll("\"[^\"\\s]*\"|'[^'\\s]*'", Passage.CODE)
                .replaceAll("(?<![\\w-])--?[a-zA-Z][\\w-]*(?:[= ](?:[A-Z]{2,}|N)\\b)?", Passage.CODE);
    }

    /** The first sentence of the comment at this place. */
    private void comment(Kind kind) {
        DocCommentTree comment = docs.getDocCommentTree(getCurrentPath());
        if (comment == null || comment.getFirstSentence().isEmpty()) {
            return;
        }
        StringBuilder text = new StringBuilder();
        for (DocTree part : comment.getFirstSentence()) {
            text.append(
                    part.getKind() == DocTree.Kind.TEXT || part.getKind() == DocTree.Kind.ENTITY
                            ? part.toString()
                            : part.getKind() == DocTree.Kind.START_ELEMENT || part.getKind() == DocTree.Kind.END_ELEMENT
                                    ? ""
                                    : Passage.CODE);
        }
        long start = docs.getSourcePositions()
                .getStartPosition(unit, comment, comment.getFirstSentence().get(0));
        String sentence = text.toString().replaceAll("\n ", "\n").replace("&mdash;", "-");
        passages.add(new Passage(kind, file, line(start), sentence));
    }

    private static Kind kind(ModifiersTree modifiers) {
        return modifiers.getFlags().contains(Modifier.PUBLIC) ? Kind.JAVADOC : Kind.INTERNAL_JAVADOC;
    }

    private int line(long position) {
        return (int) unit.getLineMap().getLineNumber(Math.max(0, position));
    }
}
