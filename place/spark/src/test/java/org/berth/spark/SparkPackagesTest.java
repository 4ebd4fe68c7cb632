package org.berth.spark;

import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The order of the packages that package-info.java promises. */
@AnalyzeClasses(packages = "org.berth.spark", importOptions = DoNotIncludeTests.class)
class SparkPackagesTest {
    /** Layers without classes are an error, so that a renamed package cannot empty this rule. */
    @ArchTest
    static final ArchRule DEPENDENCIES_GO_ONE_WAY = layeredArchitecture()
            .consideringOnlyDependenciesInLayers()
            .layer("settings")
            .definedBy("org.berth.spark.settings")
            .layer("threads")
            .definedBy("org.berth.spark.threads")
            .layer("executor")
            .definedBy("org.berth.spark.executor")
            .layer("status")
            .definedBy("org.berth.spark.status")
            .layer("ui")
            .definedBy("org.berth.spark.ui")
            .layer("plugin")
            .definedBy("org.berth.spark")
            .whereLayer("settings")
            .mayNotAccessAnyLayer()
            .whereLayer("threads")
            .mayOnlyAccessLayers("settings")
            .whereLayer("executor")
            .mayOnlyAccessLayers("settings", "threads")
            .whereLayer("status")
            .mayOnlyAccessLayers("settings", "threads", "executor")
            .whereLayer("ui")
            .mayOnlyAccessLayers("settings", "status")
            .whereLayer("plugin")
            .mayNotBeAccessedByAnyLayer();

    @ArchTest
    static final ArchRule PACKAGES_ARE_FREE_OF_CYCLES =
            slices().matching("org.berth.spark.(*)..").should().beFreeOfCycles();
}
