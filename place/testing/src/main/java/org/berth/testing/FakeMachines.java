package org.berth.testing;

import org.berth.topology.CpuSet;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Makes the machines of {@link OnMachine}, by which JUnit finds it.
 *
 * <p>It is not part of the API.
 */
public final class FakeMachines implements ParameterResolver {
    /** Is called by JUnit. */
    public FakeMachines() {}

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext test) {
        return parameter.isAnnotated(OnMachine.class)
                && parameter.getParameter().getType().isAssignableFrom(FakeMachine.class);
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext test) {
        OnMachine wanted = parameter.findAnnotation(OnMachine.class).orElseThrow();
        FakeMachine machine =
                wanted.value().contains(":") ? FakeMachine.of(wanted.value()) : FakeMachine.recorded(wanted.value());
        return wanted.allowed().isEmpty() ? machine : machine.withAllowed(CpuSet.parseList(wanted.allowed()));
    }
}
