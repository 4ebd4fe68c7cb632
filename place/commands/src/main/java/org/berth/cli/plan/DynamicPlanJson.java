package org.berth.cli.plan;

import java.util.List;
import java.util.stream.IntStream;
import org.berth.placement.internal.dynamic.AffinityClass;
import org.berth.placement.internal.dynamic.Decision;
import org.berth.placement.internal.dynamic.ServiceCore;
import org.berth.text.Json;

/**
 * Classes of cores and decisions as JSON with stable field names; sets are lists such as "0-3,8". Version 1:
 *
 * <pre>
 * { "format": "berth-dynamic-plan", "version": 1, "source", "policy",
 *   "disk", "diskInterrupts": LIST, "network", "networkInterrupts": LIST, "idleCpus": LIST, "loadMeasured",
 *   "cores": [ { "label", "cpus": LIST, "classes": [ "DS", "NN" ] }, … ],
 *   "decisions": [ { "thread", "cpus": LIST, "class" (left out when none), "words" }, … ], "notes": [ TEXT, … ] }
 * </pre>
 */
final class DynamicPlanJson {
    private DynamicPlanJson() {}

    static String render(DynamicPlan plan, String policy, String source) {
        return Json.of(Json.object()
                .with("format", "berth-dynamic-plan")
                .with("version", 1)
                .with("source", source)
                .with("policy", policy)
                .with("disk", plan.disk().name())
                .with("diskInterrupts", plan.disk().interrupts().handlingCpus())
                .with("network", plan.network().name())
                .with("networkInterrupts", plan.network().interrupts().handlingCpus())
                .with("idleCpus", plan.load().idle())
                .with("loadMeasured", plan.measured())
                .withEach("cores", plan.placement().cores(), DynamicPlanJson::core)
                .with("decisions", decisions(plan.decisions()))
                .with("notes", plan.placement().notes()));
    }

    private static Json.Fields core(ServiceCore core) {
        return Json.object()
                .with("label", core.label())
                .with("cpus", core.cpus())
                .withEach("classes", core.classes(), AffinityClass::name);
    }

    private static List<Json.Fields> decisions(List<Decision> decisions) {
        return IntStream.range(0, decisions.size())
                .mapToObj(thread -> Json.object()
                        .with("thread", thread)
                        .with("cpus", decisions.get(thread).cpus())
                        .with("class", decisions.get(thread).chosen().map(AffinityClass::name))
                        .with("words", decisions.get(thread).words()))
                .toList();
    }
}
