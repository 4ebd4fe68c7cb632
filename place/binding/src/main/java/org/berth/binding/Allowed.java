package org.berth.binding;

import org.berth.binding.errors.BindingException;
import org.berth.topology.CpuSet;
import org.berth.topology.FailureKind;

/** Refuses CPUs to which a binder does not bind, before any system call. */
final class Allowed {
    private Allowed() {}

    static void require(Binder binder, CpuSet cpus, String target) {
        CpuSet allowed = binder.allowedCpus();
        if (cpus.isEmpty() || !allowed.containsAll(cpus)) {
            throw BindingException.of(
                    cpus.isEmpty() ? FailureKind.INVALID : FailureKind.NOT_ALLOWED,
                    "bind",
                    target,
                    "CPUs " + cpus,
                    cpus.isEmpty() ? "no CPU is given" : "CPUs " + cpus.minus(allowed) + " are not allowed here",
                    "this process may use CPUs " + allowed);
        }
    }
}
