package org.berth.cli;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackage;
import static com.tngtech.archunit.core.domain.properties.HasModifiers.Predicates.modifier;
import static com.tngtech.archunit.lang.SimpleConditionEvent.violated;
import static com.tngtech.archunit.lang.conditions.ArchConditions.callMethodWhere;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.codeUnits;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTag;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZonedDateTime;
import java.util.Set;
import java.util.stream.Stream;
import org.berth.topology.Topology;

/** What ARCHITECTURE.md promises, held against the classes of all modules that this one can see. */
@ArchTag("one-jdk")
@AnalyzeClasses(packages = "org.berth", importOptions = DoNotIncludeTests.class)
class ArchitectureTest {
    private static final String[] PURE = {
        "org.berth.text..", "org.berth.topology..", "org.berth.placement..", "org.berth.drawing..", "org.berth.report.."
    };

    private static final String[] EXPORTED = {
        "org.berth.topology..",
        "org.berth.observation..",
        "org.berth.placement..",
        "org.berth.binding..",
        "org.berth.drawing..",
        "org.berth.transport.."
    };

    @ArchTest
    static final ArchRule DEPENDENCIES_GO_ONE_WAY = layeredArchitecture()
            .consideringOnlyDependenciesInLayers()
            .layer("text")
            .definedBy("org.berth.text..")
            .layer("topology")
            .definedBy("org.berth.topology..")
            .layer("observation")
            .definedBy("org.berth.observation..")
            .layer("placement")
            .definedBy("org.berth.placement..")
            .layer("binding")
            .definedBy("org.berth.binding..")
            .layer("drawing")
            .definedBy("org.berth.drawing..")
            .layer("experiments")
            .definedBy("org.berth.experiments..")
            .layer("report")
            .definedBy("org.berth.report..")
            .layer("probes")
            .definedBy("org.berth.probes..")
            .layer("cli")
            .definedBy("org.berth.cli..")
            .whereLayer("text")
            .mayNotAccessAnyLayer()
            .whereLayer("topology")
            .mayOnlyAccessLayers("text")
            .whereLayer("observation")
            .mayOnlyAccessLayers("text", "topology")
            .whereLayer("placement")
            .mayOnlyAccessLayers("text", "topology", "observation")
            .whereLayer("binding")
            .mayOnlyAccessLayers("text", "topology", "observation", "placement")
            .whereLayer("drawing")
            .mayOnlyAccessLayers("text", "topology", "observation")
            .whereLayer("report")
            .mayOnlyAccessLayers("text", "topology", "observation", "placement", "drawing", "experiments")
            .whereLayer("experiments")
            .mayOnlyAccessLayers("text", "topology", "observation", "placement", "binding")
            .whereLayer("probes")
            .mayOnlyAccessLayers("text", "topology", "observation", "placement", "binding")
            .whereLayer("cli")
            .mayNotBeAccessedByAnyLayer();

    /** Every module uses the text kit, so it may know none of them. */
    @ArchTest
    static final ArchRule THE_TEXT_KIT_KNOWS_NOTHING_OF_BERTH = noClasses()
            .that()
            .resideInAPackage("org.berth.text..")
            .should()
            .dependOnClassesThat(resideInAPackage("org.berth..").and(resideOutsideOfPackage("org.berth.text..")));

    @ArchTest
    static final ArchRule PACKAGES_HAVE_NO_CYCLE =
            slices().matching("org.berth.(**)").should().beFreeOfCycles();

    /** Other internal packages are shared by Berth's modules and shells, and open to no other project. */
    @ArchTest
    static final ArchRule THE_NATIVE_BOUNDARY_IS_OF_BINDING = noClasses()
            .that()
            .resideOutsideOfPackage("org.berth.binding..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("org.berth.binding.internal", "org.berth.binding.internal.ids");

    /** Javac's own check would count each {@code @Nullable}, too. The exceptions say that they are not part of the API. */
    @ArchTest
    static final ArchRule THE_API_NAMES_NO_INTERNAL_TYPE = codeUnits()
            .that()
            .arePublic()
            .and()
            .areDeclaredInClassesThat(resideInAnyPackage(EXPORTED).and(resideOutsideOfPackage("..internal..")))
            .and()
            .areDeclaredInClassesThat(modifier(JavaModifier.PUBLIC))
            .and()
            .haveFullNameNotMatching(
                    "org\\.berth\\.(placement\\.MemoryNodes\\.of|topology\\.(Cpu|Node)Set\\.over)\\(.*")
            .should(new ArchCondition<>("name no internal type") {
                @Override
                public void check(JavaCodeUnit unit, ConditionEvents events) {
                    Stream.concat(unit.getRawParameterTypes().stream(), Stream.of(unit.getRawReturnType()))
                            .filter(resideInAPackage("..internal.."))
                            .forEach(type ->
                                    events.add(violated(unit, unit.getFullName() + " names " + type.getName())));
                }
            });

    @ArchTest
    static final ArchRule NATIVE_METHODS_ARE_IN_ONE_CLASS = methods()
            .that()
            .haveModifier(JavaModifier.NATIVE)
            .should()
            .beDeclaredInClassesThat()
            .haveFullyQualifiedName("org.berth.binding.internal.NativeBridge");

    @ArchTest
    static final ArchRule ONLY_BINDING_LOADS_LIBRARIES = noClasses()
            .that()
            .resideOutsideOfPackage("org.berth.binding..")
            .should(callMethodWhere(call(Set.of(System.class, Runtime.class), "load", "loadLibrary")));

    @ArchTest
    static final ArchRule NOTHING_NEEDS_LWJGL =
            noClasses().should().dependOnClassesThat().resideInAPackage("org.lwjgl..");

    @ArchTest
    static final ArchRule PURE_MODULES_TOUCH_NO_FILES = noClasses()
            .that()
            .resideInAnyPackage(PURE)
            .should()
            .dependOnClassesThat(new DescribedPredicate<>("belong to I/O or threads") {
                @Override
                public boolean test(com.tngtech.archunit.core.domain.JavaClass type) {
                    // A path is the name of a file; whatever opens one is in Files.
                    return (type.getPackageName().startsWith("java.nio.file")
                                    && !type.getName().equals("java.nio.file.Path"))
                            || type.getPackageName().startsWith("java.net")
                            || type.getName().startsWith("java.io.File")
                            || type.isAssignableTo(Thread.class)
                            || type.isAssignableTo(Process.class)
                            || type.isAssignableTo(ProcessBuilder.class);
                }
            });

    @ArchTest
    static final ArchRule PURE_MODULES_ARE_FUNCTIONS = noClasses()
            .that()
            .resideInAnyPackage(PURE)
            .should(callMethodWhere(
                    call(Set.of(System.class), "nanoTime", "currentTimeMillis", "getenv", "getProperty", "exit")))
            .orShould(callMethodWhere(call(
                    Set.of(Instant.class, LocalDateTime.class, ZonedDateTime.class, Clock.class), "now", "systemUTC")));

    /** Which nodes belong to CPUs has one answer, {@link Topology#nodesOf}; memory-only nodes are near many CPUs, and for tiers only. */
    @ArchTest
    static final ArchRule MEMORY_ONLY_NODES_ARE_FOR_TIERS = noClasses()
            .that()
            .resideOutsideOfPackage("org.berth.topology..")
            .and()
            .haveNameNotMatching("org\\.berth\\.placement\\.MemoryPlace(\\$.*)?")
            .should(callMethodWhere(call(Set.of(Topology.class), "nodesNear")));

    @ArchTest
    static final ArchRule EVERYTHING_IS_THERE_TO_BE_CHECKED =
            classes().that().haveSimpleName("NativeBridge").should().resideInAPackage("org.berth.binding.internal");

    private static DescribedPredicate<JavaAccess<?>> call(Set<Class<?>> owners, String... names) {
        Set<String> wanted = Set.of(names);
        return new DescribedPredicate<>("call one of %s", wanted) {
            @Override
            public boolean test(JavaAccess<?> access) {
                return wanted.contains(access.getName())
                        && owners.stream()
                                .anyMatch(owner -> access.getTargetOwner().isEquivalentTo(owner));
            }
        };
    }
}
