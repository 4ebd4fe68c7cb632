package org.berth.placement;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.berth.machines.MachineDevices;
import org.berth.machines.Machines;
import org.berth.placement.policy.PlacementPolicies;
import org.berth.topology.xml.TopologyXml;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Plans for the machines of the literature, checked by hand: each file's head explains why its plan is right. A file's
 * name is its request: {@code 2x8x2-core-w4-t4.plan} is 4 workers of 4 threads at level core on machine 2x8x2, and
 * {@code 2x10x8-o2nts-ib0@Package.1-n2-w1-t4.plan} device policy o2nts near ib0, which {@link MachineDevices} hung
 * below the second package, with 2 PUs for each thread.
 *
 * <p>After a wanted change, {@code mvn test -pl place/placement -am -Dberth.goldens=refresh} writes the plans anew below
 * their heads; then read the difference, and the heads, before you commit it. A new file needs only its head.
 */
class GoldenPlanTest {
    private static final Path FOLDER = Path.of("src/test/resources/golden");
    private static final Pattern NAME = Pattern.compile(
            "(.+)-(none|numa|package|l3|l3-spread|l3-spread-all|core|core-spread|pu|pu-spread)-w(\\d+)-t(\\d+)\\.plan");
    private static final Pattern NEAR =
            Pattern.compile("(.+)-(o2[a-z]{3})-(\\w+)(?:@(\\w+)\\.(\\d+))?(?:-n(\\d+))?-w(\\d+)-t(\\d+)\\.plan");

    static List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(FOLDER)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    @ParameterizedTest
    @MethodSource("names")
    void planIsTheOneThatWasCheckedByHand(String name) throws IOException {
        Path file = FOLDER.resolve(name);
        List<String> lines = Files.readAllLines(file);
        String head = lines.stream().filter(line -> line.startsWith("#")).collect(Collectors.joining("\n", "", "\n"));
        String expected =
                lines.stream().filter(line -> !line.startsWith("#")).collect(Collectors.joining("\n", "", "\n"));
        String text = plan(name).toText();

        if ("refresh".equals(System.getProperty("berth.goldens"))) {
            Files.writeString(file, head + text);
            return;
        }
        assertThat(head).as("the reason why this plan is right").hasSizeGreaterThan(20);
        assertThat(text).isEqualTo(expected);
        assertThat(PlacementPlan.parse(Files.readString(file)).toText()).isEqualTo(expected);
    }

    @Test
    void everyMachineHasEveryLevel() throws IOException {
        List<String> covered = names().stream()
                .map(NAME::matcher)
                .filter(Matcher::matches)
                .map(name -> name.group(1) + " " + name.group(2))
                .distinct()
                .toList();
        for (String machine : Machines.literature()) {
            for (AffinityLevel level : AffinityLevel.values()) {
                assertThat(covered).contains(machine + " " + level.word());
            }
        }
    }

    @Test
    void theMachineOfThePaperHasEveryDevicePolicy() throws IOException {
        List<String> covered = names().stream()
                .map(NEAR::matcher)
                .filter(Matcher::matches)
                .filter(name -> name.group(1).equals("2x10x8"))
                .map(name -> name.group(2))
                .toList();
        for (DevicePolicy policy : DevicePolicy.values()) {
            assertThat(covered).contains(policy.word());
        }
    }

    private static PlacementPlan plan(String name) {
        Matcher near = NEAR.matcher(name);
        if (near.matches()) {
            return planNear(near);
        }
        Matcher request = NAME.matcher(name);
        assertThat(request.matches()).as("file name %s", name).isTrue();
        return PlacementPolicies.byLevel()
                .plan(
                        TopologyXml.parse(Machines.xml(request.group(1))),
                        PlacementRequest.of(
                                        AffinityLevel.NONE,
                                        Integer.parseInt(request.group(3)),
                                        Integer.parseInt(request.group(4)))
                                .withLevel(OrderedLevel.parse(request.group(2))));
    }

    private static PlacementPlan planNear(Matcher name) {
        String xml = Machines.xml(name.group(1));
        if (name.group(4) != null) {
            xml = MachineDevices.below(xml, name.group(4), Integer.parseInt(name.group(5)));
        }
        int hardwareThreads = name.group(6) == null ? 0 : Integer.parseInt(name.group(6));
        return PlacementPolicies.nearDevice(DevicePolicy.parse(name.group(2)), hardwareThreads)
                .plan(
                        TopologyXml.parse(xml),
                        PlacementRequest.of(
                                        AffinityLevel.NONE,
                                        Integer.parseInt(name.group(7)),
                                        Integer.parseInt(name.group(8)))
                                .withNearDevice(name.group(3)));
    }
}
