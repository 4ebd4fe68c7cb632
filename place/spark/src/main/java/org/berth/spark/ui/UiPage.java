package org.berth.spark.ui;

import jakarta.servlet.http.HttpServletRequest;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.ui.SparkUITab;
import org.apache.spark.ui.UIUtils;
import org.apache.spark.ui.WebUIPage;
import org.berth.binding.internal.jvm.FailureText;
import org.berth.spark.status.ClusterStatus;
import org.berth.spark.status.StatusBook;
import org.json4s.JValue;
import scala.Function0;
import scala.collection.immutable.Seq;
import scala.xml.Node;

/**
 * The page at {@code /affinity/} and its JSON at {@code /affinity/json}. Spark's UI attaches both behind its filters and
 * access lists.
 */
final class UiPage extends WebUIPage {
    /** Request, title, content and tab are the same in every Spark 4; optional parameters follow, more in each version. */
    private static final int OWN_ARGUMENTS = 4;

    private final SparkUITab tab;
    private final StatusBook book;
    private final Method frame;
    private final Object[] options;

    UiPage(SparkUITab tab, StatusBook book) throws ReflectiveOperationException {
        super("");
        this.tab = tab;
        this.book = book;
        this.frame = Arrays.stream(UIUtils.class.getMethods())
                .filter(method -> method.getName().equals("headerSparkPage"))
                .findFirst()
                .orElseThrow(() -> new NoSuchMethodException("UIUtils.headerSparkPage"));
        this.options = new Object[frame.getParameterCount() - OWN_ARGUMENTS];
        for (int i = 0; i < options.length; i++) {
            options[i] = UIUtils.class
                    .getMethod("headerSparkPage$default$" + (OWN_ARGUMENTS + 1 + i))
                    .invoke(null);
        }
    }

    @Override
    @SuppressWarnings("unchecked")
    public Seq<Node> render(HttpServletRequest request) {
        // Behind a reverse proxy the page has another address than the UI assumes; this function of Spark knows it.
        String here = UIUtils.prependBaseUri(request, tab.basePath(), "/" + tab.prefix() + "/");
        String host = request.getParameter("host");
        ClusterStatus status = book.status(System.currentTimeMillis());
        Function0<Seq<Node>> content =
                () -> UiNodes.seq(List.of(new UiContent(status, here, host == null ? "" : host).render()));
        Object[] arguments = new Object[OWN_ARGUMENTS + options.length];
        arguments[0] = request;
        arguments[1] = "Affinity";
        arguments[2] = content;
        arguments[3] = tab;
        System.arraycopy(options, 0, arguments, OWN_ARGUMENTS, options.length);
        try {
            return (Seq<Node>) frame.invoke(null, arguments);
        } catch (InvocationTargetException | IllegalAccessException e) {
            throw new IllegalStateException("the page Affinity cannot be rendered: " + FailureText.of(e), e);
        }
    }

    @Override
    public JValue renderJson(HttpServletRequest request) {
        return UiJson.render(book.status(System.currentTimeMillis()));
    }
}
