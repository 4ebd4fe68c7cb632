package org.berth.cli.shared;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.function.Consumer;

/**
 * Signals that reach this process one by one, by {@code sun.misc.Signal} (module jdk.unsupported, supported by JEP 260): a shutdown
 * hook knows neither which signal came nor that a second one did. By reflection, because javac warns of that class and has no way
 * to be told otherwise.
 */
public enum Signals {
    HUP(1),
    INT(2),
    KILL(9),
    TERM(15),
    WINCH(28);

    private final int number;

    Signals(int number) {
        this.number = number;
    }

    /** The same number on every Linux. */
    public int number() {
        return number;
    }

    /** Hands a signal over; one that this process was started to ignore (nohup) stays ignored. */
    public static void listen(Signals signal, Consumer<Signals> receiver) {
        try {
            Class<?> type = Class.forName("sun.misc.Signal");
            Class<?> handlerType = Class.forName("sun.misc.SignalHandler");
            Object handler = Proxy.newProxyInstance(
                    Signals.class.getClassLoader(), new Class<?>[] {handlerType}, (proxy, method, arguments) -> {
                        if (method.getName().equals("handle")) {
                            receiver.accept(signal);
                            return null;
                        }
                        return method.getName().equals("hashCode") ? (Object) signal.number : (Object) false;
                    });
            Method handle = type.getMethod("handle", type, handlerType);
            Object one = type.getConstructor(String.class).newInstance(signal.name());
            Object before = handle.invoke(null, one, handler);
            Object ignored = handlerType.getField("SIG_IGN").get(null);
            if (ignored.equals(before)) {
                handle.invoke(null, one, before);
            }
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("this JRE has no sun.misc.Signal for SIG" + signal.name(), e);
        }
    }
}
