package org.berth.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.berth.cli.CliProcess;
import org.berth.cli.CommandLines;
import org.berth.cli.Main;
import org.berth.oracle.Child;
import org.berth.oracle.ChildJvm;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every mistake is one line that says what and what to do, and an exit code. */
@Tag("one-jdk")
final class RunErrorsTest {
    @TempDir
    private Path folder;

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            run --level socket -- true             | 2   | --level: unknown affinity level 'socket': choose one of none, numa, package, l3, core, pu
            run --level core --threads 1 --near eth77 -- true | 2   | --near eth77: unknown device
            run --level core --threads 1 --cpus 99999 -- true | 2   | --cpus 99999: there is no CPU 99999 here, or its cpuset hides it; choose from
            run --level core --threads 1 --cpus 1-x -- true | 2   | --cpus 1-x:
            run --level core --threads 0 -- true   | 2   | --threads 0: a command needs at least one thread
            run --level core -- true               | 2   | --level core leaves open what gets a core: for the command as a whole write --domain core:1; for each of its threads name them, as in --level core --rule 'worker-*'
            run --level numa --memory bind -- true | 2   | --level numa leaves open what gets a NUMA node: for the command as a whole write --domain numa
            run --level pu-spread --cpus 0- -- sh  | 2   | for the command as a whole write --level pu-spread --threads 1
            run --domain numa --level core -- true | 2   | --level core leaves open what gets a core
            run --domain numa --level l3 --rule x -- java | 2 | --level l3-pack: inside a part of the host the place of a thread is a core or a PU
            run --no-lease --cpus 0 -- true        | 2   | --no-lease needs --domain DOMAIN or --threads T: a part of the host is leased
            run --domain numa --no-lease --name x -- true | 2 | --no-lease and --name exclude each other: they are about a lease
            run --domain cpus:0,99999 -- true      | 2   | --cpus 0,99999: there is no CPU 99999 here, or its cpuset hides it
            run --policy o2ocs -- true             | 2   | --policy o2ocs needs --near DEVICE
            run --policy o2acs --near eth77 -- true | 2  | --near eth77: unknown device
            run --policy x --near eth77 -- true    | 2   | --policy: unknown device policy 'x': choose one of o2nts, o2acs, o2ocs, o2ntc, o2occ
            run --policy o2acs --level pu -- true  | 2   | --level and --policy exclude each other; choose one
            run --level core --threads 1           | 2   | Missing required parameter
            run --domain node -- true              | 2   | --domain 'node' is not one of numa, package, l3, core:K
            run --domain numa --select x -- true   | 2   | --select 'x' is not one of free, exclusive, or a number from 0
            run --domain numa --cpus 0 -- true     | 2   | --domain and --cpus exclude each other; choose one
            run --domain core:2 --threads 2 -- true | 2  | --domain and --threads exclude each other: core:K gives K cores
            run --domain numa --name a,strict -- true | 2 | --name 'a,strict' is empty, or holds a control character or a comma before what
            run --domain numa --leases /tmp,name=x -- java | 2 | --leases '/tmp,name=x' is empty, or holds a control character or a comma
            run --level pu --gc a,strict -- true   | 2   | --gc 'a,strict': 'a,strict' is no target
            run --select free -- true              | 2   | --select needs --domain
            run --level pu --smt never -- true     | 2   | --smt needs --domain
            run --level pu --rules nowhere -- true | 2   | --rules nowhere cannot be read
            run --level pu --preset kaka -- sh -c true | 2 | --preset kaka: unknown preset; did you mean 'kafka'? There is spark, hdfs,
            run --domain numa --preset x --dry-run -- java | 2 | --preset x: unknown preset; there is spark, hdfs,
            run --level pu --gc slotz -- sh -c true | 2  | --gc 'slotz': 'slotz' is no target; write slot, slots A-B
            run --domain numa --jit cpus -- java   | 2   | --jit 'cpus': 'cpus' is no target; write slot, slots A-B
            run --domain numa --rule x->cpus -- sh | 2   | --rule 'x->cpus': 'cpus' is no target; write slot, slots A-B
            run --domain numa --rule @x -- java    | 2   | --rule '@x': '@x' is not one of @gc, @jit, @carriers
            run --level pu --rule x->slot -- java  | 2   | --rule 'x->slot': with --level or --policy a rule is a GLOB
            run --level pu --threads 1 --rules RULES/slots -- sh | 2 | line 3: there is no slot 1; the command gets 1 slot, number 0
            run --level pu --dry-run --rules RULES/cpus -- sh | 2 | line 1: none of the CPUs 99999 is one of the command, which gets
            run --domain numa --rules RULES/slots-99999 -- sh | 2 | line 1: there is no slot 99999; the command gets
            run --domain numa --rules RULES/latin -- sh | 2 | latin is not UTF-8; save the file as UTF-8
            run --domain numa --rules RULES/wide -- sh | 2 | wide is not UTF-8; save the file as UTF-8
            run --domain numa --rules RULES/none -- sh | 2 | none: there is no rule in it; write one per line, as worker-* -> slot
            run --domain numa --rules RULES/marked -- sh | 2 | marked: there is no rule in it
            run --domain numa --rules RULES/word -- sh | 2 | line 2: 'place' is no target
            run --domain numa --memory x -- true   | 2   | --memory: unknown memory mode 'x'
            run --cpus 99999 -- true               | 2   | --cpus 99999: there is no CPU 99999 here, or its cpuset hides it; choose from
            run --near eth77 -- true               | 2   | --near eth77: unknown device
            run --memory bind: -- true             | 2   | --memory bind:: there is no node after the colon; write a list such as bind:0
            run --memory bind:x -- true            | 2   | --memory bind:x: node list
            run --memory bind:9999 -- true         | 2   | --memory bind:9999: there is no node 9999 here, or its cpuset hides it; choose from
            run --memory bind:9999- -- true        | 2   | --memory bind:9999-: there is no such node here; choose from
            run --memory local:0 -- true           | 2   | --memory local:0: mode local has no nodes; choose another mode
            run --domain numa --heap-memory near -- true | 2 | --heap-memory near: unknown memory mode 'near'
            run --domain numa --heap-memory local -- true | 2 | --heap-memory local: local is what the heap has without a policy of its own
            run --domain numa --heap-memory weighted:3,0 -- true | 2 | --heap-memory weighted:3,0: weights are at most 64 numbers from 1 to 999999, as in weighted:3,1
            run --domain numa --heap-memory bind:0 -- true | 2 | --heap-memory bind:0: only weighted has weights; nodes stand behind an @, as in bind@0-1
            run --domain numa --heap-memory bind@x -- true | 2 | --heap-memory bind@x: node list
            run --domain numa --heap-memory weighted:3,1@0- -- true | 2 | --heap-memory weighted:3,1@0-: no finite list of nodes
            run --level none --memory weighted:measured=/none -- true | 2 | --memory weighted:measured=/none: the kernel has one table of weights
            run --level none --heap-memory weighted:measured=/none -- true | 2 | --heap-memory weighted:measured=DIR: there is no trials.jsonl in '/none'
            run --domain numa --heap-memory bind@tier:dram -- true | 2 | --heap-memory bind@tier:dram: a lease chooses the domain when the command
            run --level none --heap-memory bind@tier:no-such -- true | 2 | --heap-memory bind@tier:no-such: there is no memory tier 'no-such'
            run --domain numa --memory bind:0 -- true | 2 | --memory bind:0: a domain has memory nodes of its own, and is chosen when the command starts; give the mode alone
            run --domain numa --memory tier:dram -- true | 2 | --memory tier:dram: a domain has memory nodes of its own
            run --memory prefer:tier: -- true      | 2   | --memory prefer:tier:: there is no tier after the colon; write a name such as tier:dram
            run --memory local:tier:dram -- true   | 2   | --memory local:tier:dram: mode local has no nodes; choose another mode
            run --memory tier:no-such -- true      | 2   | there is no memory tier 'no-such' on this machine: choose from
            run --cpus 0 --threads 2 -- true       | 2   | --threads needs --level LEVEL or --policy POLICY: without a level
            run --threads 2 -- true                | 2   | --threads needs --level LEVEL or --policy POLICY
            run -N 9999 -- true                    | 2   | --cpunodebind 9999: there is no node 9999 here, or its cpuset hides it; choose from
            run -N +9999 -- true                   | 2   | --cpunodebind +9999: this process may use
            run --membind=!0- -- true              | 2   | --membind !0-: nothing is left; choose from
            run -C +9999 -- true                   | 2   | --cpus +9999: this process may use
            run -C !0- -- true                     | 2   | --cpus: the list has no CPU; choose from
            run -N ip:::1 -- true                  | 2   | --cpunodebind ip:::1: name the device, as in netdev:eth0 or block:sda
            run -N netdev:nowhere -- true          | 2   | --cpunodebind netdev:nowhere: unknown device
            run --domain numa --name NAME59 -- true | 2 | --name xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx: a lease has a name of at most 58 bytes
            run --domain numa --rule x=>slot -- java | 2 | --rule 'x=>slot': the arrow is written ->, as in --rule 'x -> slot'
            run -m 0 -i 0 -- true                  | 2   | --membind and --interleave exclude each other: a process has one policy
            run -l --memory bind -- true           | 2   | --localalloc and --memory exclude each other
            run -N 0 --domain numa -- true         | 2   | --domain and --cpunodebind exclude each other: a lease chooses it
            run -m x -- true                       | 2   | --membind x: write a list such as 0-3,8, all, +0-1 or !0
            run -- true                            | 2   | where may the command run? Give --domain, --cpus, --near, --memory or -N
            run --domain core:1 -- no-such-command | 127 | cannot run 'no-such-command': no such command in PATH
            run --level none -- /                  | 126 | cannot run '/': it is a directory
            watch 4194305                          | 1   | cannot watch: no process 4194305
            watch 99999999999999999999             | 2   | no process has such a number
            watch --interval 0 1                   | 2   | --interval 0: give 1 to
            watch --duration -1 1                  | 2   | --duration -1.0: give a number of seconds above 0
            watch -- no-such-command               | 127 | cannot run 'no-such-command'
            compare                                | 2   | give the command to compare: -- COMMAND
            bench sort                             | 2   | bench sort: unknown job; there is kmeans, sortby
            compare --levels none -- true          | 1   | nothing to compare: none is the only arm
            bench kmeans --levels none,x   | 2   | unknown affinity level 'x'
            bench kmeans --runs 0          | 2   | --runs 0: give a number of at least 1
            compare --levels none --rule x -- true | 1   | nothing to compare
            compare --levels none,pu -- true       | 2   | --levels pu: 'true' is no JVM, so its threads get no places of their own; --threads N gives the command
            """)
    void mistakes(String line, int exitCode, String message) throws Exception {
        Files.writeString(folder.resolve("slots"), "# rules\n\nx -> slots 0-1\n");
        Files.writeString(folder.resolve("slots-99999"), "x -> slots 0-99999\n");
        Files.writeString(folder.resolve("cpus"), "x -> cpus 99999\n");
        Files.writeString(folder.resolve("word"), "x -> slot\ny -> place\n");
        Files.write(folder.resolve("latin"), "# gr\u00fcn\nx -> slot\n".getBytes(StandardCharsets.ISO_8859_1));
        Files.write(folder.resolve("wide"), "x -> slot\n".getBytes(StandardCharsets.UTF_16LE));
        Files.writeString(folder.resolve("none"), "\uFEFF# x -> slot\n\n");
        Files.writeString(folder.resolve("marked"), "\uFEFF# rules\n");
        String[] words = line.replace("RULES", folder.toString())
                .replace("NAME59", "x".repeat(59))
                .split(" +", -1);
        // Only the script can become a command, and so find that it cannot.
        boolean byTheScript = line.startsWith("run ") && exitCode > 2;
        Child.Result result = byTheScript ? CliProcess.run(folder, words) : CommandLines.run(words);

        assertThat(result.err()).startsWith("berth: ").contains(message).doesNotContain("\tat ");
        assertThat(result.err().lines()).hasSize(1);
        assertThat(result.exitCode()).isEqualTo(exitCode);
        assertThat(result.out()).isEmpty();
    }

    @Test
    void verboseAddsTheStackTrace() throws Exception {
        Child.Result result = CliProcess.run(folder, "run", "--verbose", "--level", "x", "--", "true");

        assertThat(result.err()).contains("\tat org.berth.cli.");
        assertThat(result.exitCode()).isEqualTo(2);
    }

    @Test
    void withoutTheScriptItSaysWhoCanExec() throws Exception {
        ProcessBuilder main = ChildJvm.of(Main.class, "run", "--level", "none", "--", "true")
                .with("--enable-native-access=ALL-UNNAMED")
                .builder();
        main.environment().remove(Launch.FILE_VARIABLE);
        Child.Result result = Child.run(main);

        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.err()).startsWith("berth: cannot become the command").hasLineCount(1);
        assertThat(folder).isEmptyDirectory();
    }
}
