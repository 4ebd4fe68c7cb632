package org.berth.spark.ui;

import jakarta.servlet.http.HttpServletRequest;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.ui.SparkUITab;
import org.apache.spark.ui.UIUtils;
import org.apache.spark.ui.WebUIPage;
import org.berth.binding.Reason;
import org.berth.spark.status.StatusBook;
import org.berth.spark.status.UiView;
import org.json4s.JValue;
import scala.Function0;
import scala.collection.immutable.Seq;
import scala.xml.Node;

/**
 * The page at {@code /affinity/} and its JSON at {@code /affinity/json}, below all filters and access lists of Spark's UI,
 * which attaches both.
 */
final class UiPage extends WebUIPage {
    /** request, title, content, tab: the same in every Spark 4; what follows are options, and their number grows. */
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
        // Through a reverse proxy the page is somewhere else than the UI believes; Spark's function knows where.
        String here = UIUtils.prependBaseUri(request, tab.basePath(), "/" + tab.prefix() + "/");
        String host = request.getParameter("host");
        UiView view = book.view(System.currentTimeMillis());
        Function0<Seq<Node>> content =
                () -> UiNodes.seq(List.of(new UiContent(view, here, host == null ? "" : host).render()));
        Object[] arguments = new Object[OWN_ARGUMENTS + options.length];
        arguments[0] = request;
        arguments[1] = "Affinity";
        arguments[2] = content;
        arguments[3] = tab;
        System.arraycopy(options, 0, arguments, OWN_ARGUMENTS, options.length);
        try {
            return (Seq<Node>) frame.invoke(null, arguments);
        } catch (InvocationTargetException | IllegalAccessException e) {
            throw new IllegalStateException("the page Affinity cannot be drawn: " + Reason.of(e), e);
        }
    }

    @Override
    public JValue renderJson(HttpServletRequest request) {
        return UiJson.render(book.view(System.currentTimeMillis()));
    }
}
