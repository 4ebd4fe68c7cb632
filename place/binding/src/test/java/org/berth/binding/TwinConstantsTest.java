package org.berth.binding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.berth.binding.TwinSources.NATIVE;
import static org.berth.binding.TwinSources.all;
import static org.berth.binding.TwinSources.between;
import static org.berth.binding.TwinSources.c;
import static org.berth.binding.TwinSources.constant;
import static org.berth.binding.TwinSources.define;
import static org.berth.binding.TwinSources.groups;
import static org.berth.binding.TwinSources.hex;
import static org.berth.binding.TwinSources.java;
import static org.berth.binding.TwinSources.literals;
import static org.berth.binding.TwinSources.number;

import java.io.IOException;
import java.lang.invoke.MethodType;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.berth.binding.internal.NativeBridge;
import org.berth.binding.internal.launch.DomainRequest;
import org.berth.binding.internal.launch.HeapPolicy;
import org.berth.observation.internal.jvm.VmThreads;
import org.berth.placement.AffinityLevel;
import org.berth.placement.MemoryMode;
import org.berth.placement.PlacementException;
import org.berth.placement.PlacementPlan;
import org.berth.placement.PlacementRequest;
import org.berth.placement.Slot;
import org.berth.placement.ThreadRule;
import org.berth.placement.internal.shape.Division;
import org.berth.text.ForeignText;
import org.berth.topology.CpuSet;
import org.berth.topology.NodeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** C files and Java classes that read or write the same thing have the same name, words, limits and numbers. */
@Tag("one-jdk")
class TwinConstantsTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "AgentOptions",
                "AgentRules",
                "Domains",
                "LaunchWords",
                "ForeignText",
                "HeapPolicy",
                "IndexSet",
                "LeaseRecord",
                "MemoryMode",
                "NativeBridge",
                "PlanParser",
                "PublicFiles",
                "SlotUse",
                "ThreadNamePattern",
                "ThreadRule",
                "UsageRecorder",
                "VmStructs",
                "VmThreads"
            })
    void twinsHaveTheSameName(String java) throws IOException {
        String c = java.replaceAll("(?<=.)(?=[A-Z])", "_").toLowerCase(Locale.ROOT);
        assertThat(java(java)).isNotEmpty();
        assertThat(c(c + ".c")).isNotEmpty();
    }

    @Test
    void memoryModesHaveTheSameWords() throws IOException {
        List<String> modes =
                Stream.of(MemoryMode.values()).map(MemoryMode::word).toList();
        assertThat(literals(between(c("memory_mode.c"), "memory_words[] = {", "}")))
                .isEqualTo(modes);
        assertThat(define("memory_mode.h", "MEMORY_WORDS")).isEqualTo('"' + String.join(", ", modes) + '"');
        assertThat(literals(between(c("memory_mode.c"), "return is(", ";"))).containsExactly("preferred-many");
        assertThat(MemoryMode.parse("preferred-many")).isEqualTo(MemoryMode.PREFER);
    }

    @Test
    void outcomesOfADiscoveryHaveTheSameLetters() throws IOException {
        String java = java("Discovery");
        List<String> letters = all(between(c("hwloc_xml.h"), "enum hwloc_outcome {", "};"), "= ('\\w')").stream()
                .map(found -> found.group(1))
                .toList();
        assertThat(letters).hasSize(8);
        // Short of memory is what is left.
        assertThat(all(java, "case ('\\w') ->").stream().map(found -> found.group(1)))
                .containsExactlyInAnyOrderElementsOf(
                        letters.stream().filter(letter -> !letter.equals("'n'")).toList());
    }

    @Test
    void kernelPoliciesHaveTheSameNumbers() throws IOException {
        String java = java("MemoryPolicies");
        for (MatchResult policy :
                all(between(c("memory_bind.h"), "enum kernel_policy {", "}"), "POLICY_(\\w+) = (\\d[\\d <]*),")) {
            String name = policy.group(1).replace("FLAG_", "");
            assertThat(all(java, "int " + name + " = ([\\d <]+);"))
                    .as(name)
                    .singleElement()
                    .satisfies(twin -> assertThat(twin.group(1)).isEqualTo(policy.group(2)));
        }
        assertThat(all(java, "int [A-Z_]+ = [\\d <]+;")).hasSize(8);
        String flags = between(c("memory_bind.h"), "enum range_flags {", "}");
        assertThat(flags)
                .contains("RANGE_STRICT = " + constant("RangeMemory", "BIND_STRICT"))
                .contains("RANGE_MOVE = " + constant("RangeMemory", "BIND_MOVE"));
    }

    @Test
    void theAgentsMarkHasTheSameName() throws IOException {
        assertThat(define("reexec.h", "REEXEC_GUARD")).isEqualTo(constant("AgentMark", "VARIABLE"));
    }

    @Test
    void plansHaveTheSameItemsAndLimits() throws IOException {
        Slot slot = Slot.of(0, CpuSet.of(0)).withMemoryNodes(NodeSet.of(0)).withReason("reason");
        String text = PlacementPlan.of(AffinityLevel.CORE, MemoryMode.LOCAL, CpuSet.of(0), List.of(slot))
                .withRules(List.of(ThreadRule.of("a*")))
                .withNotes(List.of("a note"))
                .toText();
        String parser = c("plan_parser.c");
        List<String> items = new ArrayList<>(literals(between(parser, "head[] = {", "}")));
        items.addAll(groups(between(parser, "static int parse_line(", "\n}"), "span_is\\(word, \"(\\w+)\"\\)"));
        assertThat(groups(text, "(?m)^(\\S+)")).isEqualTo(items);
        assertThat(text)
                .startsWith(items.get(0) + " "
                        + groups(parser, "span_is\\(value, \"(\\d+)\"\\)").get(0) + "\n");
        List<String> fields = new ArrayList<>(literals(between(parser, "keys[] = {", "}")));
        fields.add("reason");
        assertThat(groups(between(text, "slot ", "\n"), "(\\w+)=")).isEqualTo(fields);
        assertThat(groups(between(text, "rule ", "\n"), "(\\w+)=")).containsExactly("role", "glob");
        assertThat(define("thread_rule.h", "ROLE_TASK")).isEqualTo('"' + Slot.TASK + '"');
        assertThat(define("plan_parser.h", "PLAN_ITEM_LIMIT")).isEqualTo(PlacementRequest.MAX_SLOTS + "u");
        // A plan's numbers have five digits.
        assertThat(Integer.parseInt(define("index_set.h", "INDEX_LIMIT").replace("u", "")))
                .isGreaterThan(99_999);
    }

    @Test
    void rolesAreTheSameWords() throws IOException {
        String letters = String.join("", literals(between(c("plan_parser.c"), "allowed[] =", ";")));
        for (char letter = 1; letter < 256; letter++) {
            String role = "a" + letter;
            assertThat(accepts(() -> new ThreadRule("*", role))).as(role).isEqualTo(letters.indexOf(letter) >= 0);
        }
        int longest = number("thread_rule.h", "ROLE_SIZE") - 1;
        assertThat(accepts(() -> new ThreadRule("*", "a".repeat(longest)))).isTrue();
        assertThat(accepts(() -> new ThreadRule("*", "a".repeat(longest + 1)))).isFalse();
        assertThat(c("plan_parser.c")).contains("text.length <= " + longest);
    }

    @Test
    void theAgentKnowsTheOptionsThatAreWritten() throws IOException {
        String c = c("agent_options.c");
        List<String> options = List.of(groups(c, "known: ([^\"]+)\"").get(0).split(", "));
        List<String> written = new ArrayList<>(groups(java("AgentOptions"), "with\\(\"([\\w-]+)\""));
        written.addAll(groups(java("DomainRequest"), "options\\.put\\(\"(\\w+)\""));
        written.addAll(literals(between(java("AgentOptions"), "FLAGS = List.of(", ")")));
        written.add("unmatched"); // for those who write the text themselves
        assertThat(written.stream().distinct()).containsExactlyInAnyOrderElementsOf(options);
        List<String> several = List.of("rule", "rules", "preset", "verbose", "strict");
        assertThat(literals(between(c, "given_once[] = {", "}")))
                .containsExactlyInAnyOrderElementsOf(options.stream()
                        .filter(option -> !several.contains(option))
                        .toList());
        assertThat(groups(between(c, "static char *value_end(", "\n}"), "memcmp\\(comma \\+ 1, \"(\\w+)\""))
                .isEqualTo(literals(between(java("AgentOptions"), "FLAGS = List.of(", ")")));
    }

    @Test
    void theLauncherKnowsTheWordsThatAreWritten() throws IOException {
        List<String> options = groups(between(c("exec_words.c"), "known[] = {", "};"), "\"--([\\w-]+)\"");
        List<String> written = new ArrayList<>(groups(java("LaunchWords"), "with\\(\"--([\\w-]+)\""));
        written.addAll(groups(java("DomainRequest"), "options\\.put\\(\"(\\w+)\""));
        written.addAll(groups(java("Launch"), "withOption\\(\"--([\\w-]+)\""));
        written.addAll(groups(java("UsageRecorder"), "\"--(\\w[\\w-]*)\""));
        assertThat(written.stream().distinct()).containsExactlyInAnyOrderElementsOf(options);
        assertThat(groups(groups(c("exec_words.c"), "usage: ([^\"]+)\"").get(0), "--([\\w-]+) "))
                .containsExactlyInAnyOrderElementsOf(options);
    }

    @Test
    void domainsAreAskedForInTheSameWords() throws IOException {
        String c = between(c("domains.c"), "int domain_kind_parse(", "\n}");
        List<String> kinds = new ArrayList<>(literals(between(c, "words[] = {", "}")));
        assertThat(Stream.of(Division.Kind.values()).filter(kind -> kind != Division.Kind.COUNT))
                .extracting(kind -> new Division(kind, 0).word())
                .containsExactlyInAnyOrderElementsOf(kinds);
        kinds.addAll(List.of("core", "core:1", "core:9999", "cpus:0-3,8"));
        assertThat(kinds).allMatch(kind -> accepts(() -> DomainRequest.of(kind)));
        assertThat(List.of("core:0", "core:10000", "node", "cpus:"))
                .noneMatch(kind -> accepts(() -> DomainRequest.of(kind)));
        assertThat(c).contains("digits > 0 && digits < 5", "\"core:\"", "\"core\"");
        assertThat(groups(c, "is (not one of numa[^\"]*?)\",\\s+text"))
                .isEqualTo(groups(java("DomainRequest"), "is (not one of numa[^\"]*)\""))
                .hasSize(1);
        assertThat(accepts(() -> DomainRequest.of("l3").withSelect("9".repeat(6))))
                .isTrue();
        assertThat(accepts(() -> DomainRequest.of("l3").withSelect("9".repeat(7))))
                .isFalse();
        assertThat(c("agent_options.c")).contains("digits > 6");
    }

    @Test
    void threadRulesHaveTheSameWords() throws IOException {
        String java = java("ThreadTarget");
        List<String> targets = groups(c("thread_rule.c"), "take_word\\(&words, \"(\\w+)\"\\)");
        assertThat(targets).contains("slot", "slots", "cpus", "process", "exclusive");
        assertThat(targets.stream().distinct()).allMatch(word -> java.contains(word));
        assertThat(Stream.of("GLOB_GC", "GLOB_JIT", "GLOB_CARRIERS")
                        .map(name -> define("thread_rule.h", name).replaceAll("[\"@]", "")))
                .containsExactlyElementsOf(
                        List.of(groups(java, "@\\(\\?!\\(([\\w|]+)\\)").get(0).split("\\|")));
    }

    @Test
    void presetsAreTheFiles() throws IOException {
        try (Stream<Path> files = Files.list(NATIVE.resolve("presets"))) {
            assertThat(files.map(file -> file.getFileName().toString().replace(".rules", "")))
                    .containsExactlyInAnyOrderElementsOf(
                            literals(between(java("ThreadOptions"), "PRESETS = List.of(", ")")));
        }
    }

    @Test
    void heapWeightsHaveTheSameLimits() throws IOException {
        int largest =
                Integer.parseInt(define("heap_policy.h", "HEAP_WEIGHT_LIMIT").replace("u", ""));
        int most = number("heap_policy.h", "HEAP_NODE_LIMIT");
        assertThat(HeapPolicy.parse("weighted:" + largest).weights()).containsExactly(largest);
        assertThat(accepts(() -> HeapPolicy.parse("weighted:" + (largest + 1)))).isFalse();
        assertThat(accepts(() -> HeapPolicy.parse("weighted:1" + ",1".repeat(most - 1))))
                .isTrue();
        assertThat(accepts(() -> HeapPolicy.parse("weighted:1" + ",1".repeat(most))))
                .isFalse();
    }

    @Test
    void leasesHaveTheSameForm() throws IOException {
        String written = String.join("", literals(between(c("lease_record.c"), "int lease_write(", "\n}")))
                .replaceAll("yes|no\\b(?!des)", "");
        List<String> keys = groups(written, "(?:^|\\\\n)([a-z-]+) ");
        assertThat(written).startsWith(constant("LeaseRecord", "FIRST").replace("\"", ""));
        assertThat(groups(java("LeaseRecord"), "value\\(lines, \\d, \"([a-z-]+)\"\\)"))
                .isEqualTo(keys.subList(1, keys.size()));
        assertThat(groups(c("lease_record.c"), "read_\\w+\\(&text, \"([a-z-]+)\""))
                .isEqualTo(keys);
        assertThat(java("LeaseHolders"))
                .contains(constant("LeaseRecord", "FIRST").replace("\"", "") + "\\npid ")
                .contains("startsWith(" + define("ledger_files.c", "PREFIX"));
        assertThat(constant("LeaseReply", "LEASE_BYTES").replace("_", ""))
                .isEqualTo(Integer.toString(number("lease_record.h", "LEASE_TEXT_SIZE")));
        assertThat(define("lease_folder.h", "LEDGER_VARIABLE")).isEqualTo(constant("OwnProcess", "LEDGER"));
        assertThat(c("native_bridge.c"))
                .contains('"' + constant("LeaseListing", "UNREADABLE").replace("\"", "") + "%u\\n"
                        + constant("LeaseListing", "WARNING").replace("\"", "") + "%s\\n\"");
    }

    @Test
    void busyCpusAreTheSame() throws IOException {
        assertThat(constant("BusyCpus", "MILLIS"))
                .isEqualTo(Integer.toString(number("host_load.h", "HOST_LOAD_MILLIS")));
        String part = groups(c("lease_by_load.h"), "LOAD_IDLE = HOST_LOAD_WHOLE / (\\d+)")
                .get(0);
        assertThat(constant("BusyCpus", "IDLE_SHARE")).isEqualTo("1.0 / " + part);
    }

    @Test
    void rulesOfTheAgentHaveTheSameForm() throws IOException {
        String c = c("agent_rules.c");
        String java = java("AgentRules");
        assertThat(constant("AgentRules", "FILE"))
                .isEqualTo("\"/memfd:" + groups(c, "\"(berth-rules)\"").get(0) + '"');
        assertThat(java).contains('"' + groups(c, "\"(berth-rules \\d+)\\\\n").get(0) + '"', "\"end\"");
        assertThat(c).contains("renames %s\\nwaiting %s", "\"followed\"", "\"no\"", "\"end\\n\"");
        assertThat(java).contains("\"renames followed\"", "\"waiting no\"");
        assertThat(groups(c, "FILE_SIZE = ([\\d <]+\\d)")).containsExactly(constant("AgentRules", "LIMIT_BYTES"));
        String line =
                groups(c("thread_rules_status.c"), "\"(rule threads=.*)\\\\n\"").get(0);
        List<String> states = groups(between(c("thread_rules_status.c"), "append_rules(", "\n}"), "[?:] \"(\\w+)\"");
        assertThat(java)
                .contains('"'
                        + line.replace("%zu", "([0-9]{1,9})")
                                .replaceFirst("%s", "(" + String.join("|", states) + ")")
                                .replaceFirst("%s", "(.*?)")
                                .replaceFirst("%s", "(.*)")
                        + '"');
    }

    @Test
    void threadsOfTheJvmHaveTheSameNames() throws IOException {
        String c = c("vm_threads.c");
        assertThat(literals(between(c, "bool vm_thread_is_gc(", "NULL}"))).isEqualTo(VmThreads.collectors());
        assertThat(literals(between(c, "bool vm_thread_is_jit(", "NULL}"))).isEqualTo(VmThreads.compilers());
        assertThat(groups(c("agent_watch.c"), "PR_SET_NAME, (\"[\\w-]+\")"))
                .containsExactly(constant("OwnProcess", "AGENT_THREAD"));
    }

    @Test
    void tablesOfTheJvmHaveTheSameNames() throws IOException {
        String c = c("vm_structs.c");
        assertThat(literals(between(java("VmStructs"), "record VmStructs(", "Set.of(")))
                .isNotEmpty()
                .allMatch(symbol ->
                        Pattern.compile("\\b" + symbol + "\\b").matcher(c).find());
        assertThat(groups(java("HeapRange"), "field\\((\"\\w+\"), \"\\w+\"")).allMatch(c::contains);
        assertThat(groups(java("HeapRange"), "field\\(\"\\w+\", (\"\\w+\")")).allMatch(c::contains);
        String file = groups(c("heap_maps.c"), "file_name\\[\\] = \"/(\\S+)\"").get(0);
        assertThat(constant("Smaps", "ZGC_FILE")).isEqualTo('"' + file + '"');
        assertThat(constant("NumaMapsLine", "ZGC_HEAP")).isEqualTo("\" file=/" + file + '"');
    }

    @Test
    void whatACommandTookHasTheSameFields() throws IOException {
        String c = c("usage_recorder.c") + c("counters.c");
        List<String> written =
                new ArrayList<>(groups(between(c, "static int write_account(", "\n}"), "\\\\\"(\\w+)\\\\\":"));
        written.addAll(groups(c("counters.c"), "\\\\\"(counters|missing)\\\\\":"));
        String account = between(java("UsageRecorder"), "private record Account(", "{\n");
        assertThat(groups(account, "(?:long|>) (\\w+)[,)]")).containsExactlyElementsOf(written);
    }

    @Test
    void theSameCharactersAreObeyed() throws IOException {
        String c = between(c("foreign_text.c"), "static bool is_obeyed(", "\n}");
        CpuSet obeyed = CpuSet.empty();
        List<MatchResult> ranges = new ArrayList<>(all(c, "is_between\\(point, 0x(\\w+), 0x(\\w+)\\)"));
        ranges.addAll(all(c, "point == 0x((\\w+))"));
        for (MatchResult range : ranges) {
            obeyed = obeyed.union(CpuSet.range(hex(range.group(1)), hex(range.group(2))));
        }
        obeyed = obeyed.union(CpuSet.range(0, hex(groups(c, "point < 0x(\\w+)").get(0)) - 1));
        for (int point = 0; point <= 0x10FFFF; point++) {
            if (obeyed.contains(point) != ForeignText.isObeyed(point)) {
                assertThat(obeyed.contains(point)).as("U+%04X", point).isEqualTo(ForeignText.isObeyed(point));
            }
        }
    }

    @Test
    void libraryAndInterfaceAreTheSame() throws IOException {
        assertThat(define("agent.h", "BERTH_INTERFACE_VERSION")).isEqualTo(Integer.toString(NativeBridge.VERSION));
        assertThat(c("native_bridge.c"))
                .contains('"' + NativeBridge.class.getName().replace('.', '/') + '"');
        assertThat(constant("NativeLibrary", "LIBRARY"))
                .isEqualTo(
                        groups(c("heap_option.c"), "agent\\[\\] = (\"\\S+\")").get(0));
    }

    @Test
    void nativeFunctionsAreTheSame() throws IOException {
        String copy = Files.readString(Path.of("../native/src/test/java/org/berth/binding/internal/NativeBridge.java"));
        assertThat(all(c("native_bridge.c"), "\\{\"(\\w+)\", \"(\\(.*)\",").stream()
                        .map(found -> found.group(1) + found.group(2)))
                .containsExactlyInAnyOrderElementsOf(Stream.of(NativeBridge.class.getDeclaredMethods())
                        .filter(method -> Modifier.isNative(method.getModifiers()))
                        .map(method -> method.getName()
                                + MethodType.methodType(method.getReturnType(), method.getParameterTypes())
                                        .toMethodDescriptorString())
                        .toList());
        String function = " native ([^;]+);";
        assertThat(groups(copy, function))
                .containsExactlyInAnyOrderElementsOf(groups(
                        java("NativeBridge")
                                .replaceAll("(?s)/\\*.*?\\*/", "")
                                .replace("[] @Nullable []", "[][]")
                                .replace("@Nullable ", ""),
                        function));
    }

    private interface Making {
        Object make();
    }

    private static boolean accepts(Making making) {
        try {
            return making.make() != null;
        } catch (IllegalArgumentException | PlacementException refused) {
            return false;
        }
    }
}
