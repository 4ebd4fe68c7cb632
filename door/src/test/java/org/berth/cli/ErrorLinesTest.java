package org.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.berth.machines.Machines;
import org.berth.oracle.Child.Result;
import org.berth.oracle.KernelList;
import org.berth.oracle.Machine;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every mistake: one line that says what and what to do, the right exit code, nothing else. */
@Tag("one-jdk")
class ErrorLinesTest {
    @TempDir
    private static Path folder;

    @BeforeAll
    static void prepare() throws IOException {
        String xml = Machines.xml("40intel64-2g2n4c+pci");
        Files.writeString(folder.resolve("good.xml"), xml);
        Files.writeString(folder.resolve("cut.xml"), xml.substring(0, xml.length() / 2));
        Files.writeString(folder.resolve("empty.xml"), "");
        Files.writeString(folder.resolve("text.xml"), "To be, or not to be\n");
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
            plan --level cores            | 2 | unknown affinity level 'cores'; none, numa, package, l3, core, pu
            plan --level core --near eth9 | 2 | --near eth9: unknown device; sda, eth0, eth1
            plan --level core --cpus 0-99 | 2 | --cpus 0-99; 40-99; choose from 0-39
            plan --level core --cpus 0-x  | 2 | --cpus 0-x; found "x"; write a list such as 0-3,8
            plan --level core --cpus +0-1 | 2 | --cpus +0-1; a relative list counts the CPUs of this process
            plan --level core --cpus 9-4  | 2 | --cpus 9-4; backwards; write a list such as 0-3,8
            plan --level core --cpus ''   | 2 | --cpus; the list has no CPU; choose from 0-39
            plan --level pu --memory all  | 2 | unknown memory mode 'all'; local, bind, prefer, interleave
            plan --level pu --workers 0   | 2 | --workers 0; whole number, at least 1
            plan --level pu --threads 4x  | 2 | --threads 4x; whole number, at least 1
            plan --level pu --threads 9999999 | 2 | 9999999; ask for fewer
            plan --level pu --json --text | 2 | --json and --text exclude each other
            plan                          | 2 | --level is missing; none, numa, package, l3, core, pu; or give --cpus, --near, --memory
            plan --cpus 0 --memory bind:7 | 2 | --memory bind:7: there is no node 7 here; choose from 0-3
            plan --policy o2o --near eth0 | 2 | --policy: unknown device policy 'o2o'; o2nts, o2acs, o2ocs, o2ntc, o2occ
            plan --policy o2ocs           | 2 | --policy o2ocs needs --near DEVICE; berth topo
            plan --policy o2ocs --near eth9             | 2 | --near eth9: unknown device; sda, eth0, eth1
            plan --policy o2ocs --level core --near sda | 2 | --level and --policy exclude each other
            plan --policy o2acs --near sda --hardware-threads 2   | 2 | --hardware-threads needs --policy o2nts or o2ntc; whole cores
            plan --policy o2nts --near sda --hardware-threads 0   | 2 | --hardware-threads 0; whole number, at least 1
            plan --level core --hardware-threads 2                | 2 | --hardware-threads needs --policy o2nts or o2ntc
            plan --policy interrupt                            | 2 | either --disk or --volume; berth irq
            plan --policy interrupt --disk sda                 | 2 | --disk cpu:LIST; or leave --topology out
            plan --policy interrupt --disk cpu:0 --nic eth0 --busy 0      | 2 | --disk cpu:LIST; or leave --topology out
            plan --policy interrupt --disk cpu:99 --busy 0     | 2 | --disk cpu:99; there is no CPU 99 here
            plan --policy interrupt --disk cpu:0 --busy 0..1   | 2 | --busy 0..1; write a list such as 0-3,8
            plan --policy interrupt --disk cpu:0 --level core  | 2 | --level and --policy exclude each other
            plan --policy interrupt --disk cpu:0 --text        | 2 | --disk and --text exclude each other; for each thread when it starts
            plan --policy node --disk cpu:0 --nic cpu:1 --peer x --busy 0 | 2 | --nic and --peer exclude each other
            plan --level core --busy 0                            | 2 | --busy needs --policy; interrupt or node
            plan --level core --rule x=>slot                      | 2 | --rule 'x=>slot'; write --rule 'x'
            plan --level core --rule x->slot                      | 2 | --rule 'x->slot'; write --rule 'x'
            plan --level core --rule ''                           | 2 | --rule ''; such as --rule 'worker-*'
            plan --level CORE                                     | 2 | unknown affinity level 'CORE'; did you mean 'core'?
            plan --levle core             | 2 | Unknown option; --levle; berth plan --help
            """)
    void wrongPlanRequests(String commandLine, int exitCode, String parts) {
        String topology = folder.resolve("good.xml").toString();
        String[] words = (commandLine + " --topology " + topology).split(" +");
        for (int i = 0; i < words.length; i++) {
            words[i] = words[i].equals("''") ? "" : words[i];
        }
        requireOneLine(CommandLines.run(words), exitCode, parts);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
            topo --input DIR/none.xml        | 1 | cannot read; no such file; pack:2 l3:1 core:8 pu:2
            topo --input DIR                 | 1 | cannot read; it is a directory; give an XML file
            topo --input DIR/empty.xml       | 1 | cannot read; it is empty; lstopo --of xml
            topo --input DIR/cut.xml         | 1 | cannot read; lstopo --of xml
            topo --input DIR/text.xml        | 1 | cannot read; lstopo --of xml
            topo --input=                    | 2 | empty name; pack:2 l3:1 core:8 pu:2
            topo --input pack:two            | 2 | pack:two; hwloc does not understand it; pack:2 l3:1 core:8 pu:2
            topo --input DIR/good.xml --svg DIR          | 1 | cannot write the SVG picture; it is a directory
            topo --input DIR/good.xml --xml DIR/no/x.xml | 1 | cannot write the hwloc XML; no such file or directory
            topo --json --svg -              | 2 | write to standard output; give a file to all but one of them
            topo --interrupts --json         | 2 | --interrupts and --json exclude each other; berth irq --json
            irq --spread --restore           | 2 | --spread and --restore exclude each other
            irq --dry-run                    | 2 | --dry-run needs --spread
            transport                        | 2 | berth transport; needs one more word: devices or tuning
            transport ports                  | 2 | ports; choose devices or tuning
            transport devces                 | 2 | devces; choose devices or tuning; did you mean 'devices'?
            transport tuning --set speed=1   | 2 | --set speed=1; write KEY=VALUE
            transport tuning --set wait=nap  | 2 | nap; spin, event or hybrid
            transport tuning --set threads=0 | 2 | threads; at least 1
            transport devices --device nic99 | 1 | --device nic99; there is no network adapter nic99
            plan --policy interrupt --disk sdzz --busy 0      | 2 | --disk: block device sdzz leads to no device; /sys/class/block
            plan --policy interrupt --volume /proc --busy 0   | 2 | --volume: /proc leads to no device; /proc is proc
            topo --ascii=yes                 | 2 | --ascii; berth topo --help
            topo here                        | 2 | Unmatched argument; 'here'; berth topo --help
            tpoo                             | 2 | unknown command 'tpoo'; did you mean 'topo'?; berth --help
            rnu                              | 2 | unknown command 'rnu'; did you mean 'run'?; berth --help
            nonsense                         | 2 | unknown command 'nonsense'; berth --help
            help nonsense                    | 2 | unknown command 'nonsense'; berth --help
            topo --sgv x.svg                 | 2 | Unknown option; --sgv; did you mean '--svg'?; berth topo --help
            --colour topo                    | 2 | Unknown option; --colour; berth --help
            """)
    void wrongTopoRequests(String commandLine, int exitCode, String parts) {
        String[] words = commandLine.replace("DIR", folder.toString()).split(" +");
        requireOneLine(CommandLines.run(words), exitCode, parts);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
            bind 1                           | 2 | where may the processes run; --domain, --cpus or --near
            bind --cpus 0                    | 2 | Missing required parameter; PID; berth bind --help
            bind --cpus 0 java               | 2 | is not a process id; 'java'; ps -e
            bind --level cores 1             | 2 | unknown affinity level 'cores'
            bind --cpus 0 --memory all 1     | 2 | unknown memory mode 'all'
            bind --memory bind:0 1           | 2 | where may the processes run
            bind --near nothing0 1           | 2 | --near nothing0: unknown device
            bind --cpus 0 --memory local:0 1 | 2 | --memory local:0: mode local has no nodes
            bind --cpus 0 --memory bind:9 1  | 2 | --memory bind:9: there is no node 9 here
            bind --domain core:9999 1        | 2 | --domain core:9999; there are; cores that may be used
            bind --level pu --threads 0 1    | 2 | --threads 0; whole number, at least 1
            bind --cpus 0 4194305            | 1 | cannot find process 4194305; ESRCH; ps -e
            unbind                           | 2 | Missing required parameter; PID; berth unbind --help
            unbind 0                         | 2 | is not a process id; '0'
            unbind 4194305                   | 1 | cannot find process 4194305; ESRCH; ps -e
            doctor 4194305                   | 1 | cannot examine; no process 4194305; does not exist
            status 4194305                   | 1 | cannot show; no process 4194305; does not exist
            status java                      | 2 | is not a process id; 'java'
            doctor java                      | 2 | is not a process id; 'java'
            leases --leases DIR/none         | 2 | --leases; no such directory
            watch 0                          | 2 | process 0; no process has such a number
            watch 1 2                        | 2 | 2 processes at once; give one PID
            bind --rule x->slot 1            | 2 | --rule 'x->slot'; write --rule 'x'
            bind --cpus 0 --memory Bind 1    | 2 | unknown memory mode 'Bind'; did you mean 'bind'?
            doctor 1 2                       | 2 | Unmatched argument; '2'; berth doctor --help
            """)
    void wrongRequestsOnLiveProcesses(String commandLine, int exitCode, String parts) {
        requireOneLine(
                CommandLines.run(commandLine.replace("DIR", folder.toString()).split(" +")), exitCode, parts);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
            compare                                | 2 | give the command to compare; -- COMMAND; berth bench
            bench pi                       | 2 | bench pi: unknown job; kmeans, sortby, groupby, tpch, tiny-tasks, serialization, allocation, bandwidth, latency, shuffle, upload, dfsio, clients
            bench tpch                     | 1 | cannot find the job tpch; ./berth bench tpch
            bench tpch --input x           | 2 | --input is for jobs that read a file: kmeans; mr-kmeans
            compare -- kafka-server-start.sh x.conf | 2 | starts a service; loads it and stops it; --preset kafka
            compare --scale 3 -- true              | 2 | Unknown option; --scale
            bench upload                   | 1 | cannot find the job upload; ./berth bench upload
            bench upload --levels core     | 2 | --levels is not for the job upload; --policies
            bench upload --threads 2       | 2 | --threads is not for the job upload; --clients N
            bench upload --policies best,x | 2 | --policies 'best'; stock, none, node, interrupt
            bench upload --policies stock  | 2 | --policies stock: give at least two
            bench upload -- --policy node  | 2 | --policy after --; --policies LIST
            bench upload -- --policy=node  | 2 | --policy after --; --policies LIST
            bench mr-pi                    | 1 | cannot find the job mr-pi; ./berth bench mr-pi
            bench mr-pi --levels core      | 2 | --levels is not for the job mr-pi; --engines
            bench mr-pi --engines best,x   | 2 | --engines best,x: unknown engine 'best'; berth-spark
            bench mr-pi -- --engine local  | 2 | --engine after --; --engines LIST
            bench latency --engines a,b    | 2 | --engines is not for the job latency: its arms are levels
            compare --engines local,berth -- true  | 2 | Unknown option; --engines
            bench latency --policies stock | 2 | --policies is not for the job latency
            bench tpch --policies stock    | 2 | --policies stock: give at least two
            bench tpch --policies stock,cor | 2 | --policies 'cor'; spark.berth.KEY=VALUE; core+guard=off
            bench tiny-tasks --policies stock,core+guard | 2 | --policies 'core+guard'; such as core+guard=off
            bench tiny-tasks --levels none,core --policies stock,core | 2 | --levels and --policies
            probe                                  | 2 | --volume DIR; --loopback; --peer HOST:PORT
            probe --volume /none                   | 2 | --volume /none: no such folder
            probe --loopback --peer a:1            | 2 | --loopback and --peer exclude each other
            probe --server 7070                    | 2 | --server 7070: write HOST:PORT
            probe --loopback --disk cpu:0          | 2 | --disk needs --volume DIR
            probe --loopback --nic 0               | 2 | --nic 0: write cpu:
            probe --loopback --nic cpu:x           | 2 | --nic cpu:x
            probe --loopback --runs 0              | 2 | --runs 0: not a count
            probe --loopback --size 9999           | 2 | --size 9999: at most 1024 MB
            bench upload --numactl         | 2 | --numactl; for jobs of one process; upload
            bench kmeans --bound x         | 2 | --bound needs --balance-or-bind
            bench mr-pi --balance-or-bind  | 2 | --balance-or-bind binds one process; mr-pi starts several; kmeans; latency
            bench tpch --balance-or-bind --levels none | 2 | --balance-or-bind and --levels exclude each other: --balance-or-bind has arms of its own; --bound
            bench tpch --balance-or-bind --input x | 2 | --input is for jobs that read a file
            bench --json kmeans            | 2 | --json kmeans; berth bench kmeans --json
            bench latency --levels none --arm a=--level=none | 1 | cannot find the job latency
            bench tpch --balance-or-bind   | 1 | cannot find the job tpch; ./berth bench tpch
            bench kmeans --metric x=(.)    | 2 | --metric is for commands
            compare --runs 0 -- true               | 2 | --runs 0; at least 1
            compare --warmup -1 -- true            | 2 | --warmup -1; at least 0
            compare --prepare= -- true             | 2 | --prepare has no command; sh
            compare --prepare=no-such-program -- true | 2 | --prepare 'no-such-program'; no command 'no-such-program' in PATH; install
            study affinity --workloads foo         | 2 | --workloads 'foo': choose from
            tune --cleanup= -- true                | 2 | --cleanup has no command; sh
            compare --timeout 0 -- true            | 2 | --timeout 0: give a number of seconds
            compare --cool-down soon -- true       | 2 | --cool-down soon: give a number of seconds
            compare --metric x -- true             | 2 | --metric 'x': write NAME=REGEX
            compare --metric x=( -- true           | 2 | --metric x: '(' is not a regular expression
            compare --metric x[s,more]=(.) -- true  | 2 | --metric x: which is better, 'more'? Give [UNIT,lower] or
            compare --metric x[s=(.) -- true       | 2 | --metric 'x[s=(.)': write NAME=REGEX
            compare --metric x=(.) --metric x[B]=(.) -- true | 2 | --metric x: two metrics have this name
            compare --metric x=y -- true           | 2 | --metric x: 'y' has no group
            compare --arm half -- true             | 2 | --arm 'half': write NAME=OPTIONS
            compare --arm a=--levle_core -- true   | 2 | --arm a: Unknown option; berth run
            compare --arm a=--level -- true        | 2 | --arm a: ; --level
            compare --arm a='--level -- true       | 2 | --arm a: a quote ' is not closed
            compare --arm a=--smt=never -- true    | 2 | --arm a: --smt needs --domain
            compare --arm a=--gc=cpus -- true      | 2 | --arm a: --gc 'cpus': 'cpus' is no target
            compare --arm none=X=1 -- true         | 2 | --arm: two arms are called none
            compare --near nothing0 -- true        | 2 | --near nothing0: unknown device
            compare --resume DIR -- true           | 2 | --resume; there is no trials.jsonl in it
            compare --resume DIR --results DIR -- true | 2 | --results and --resume exclude each other
            compare --resume DIR --seed 1 -- true  | 2 | --seed and --resume exclude each other
            study none                   | 2 | unknown command 'none'; berth study --help
            study                        | 2 | berth study; needs one more word: affinity or collectors
            study affinity --gc g1       | 2 | Unknown option; --gc; berth study affinity --help
            study collectors --workers 2 | 2 | Unknown option; --workers
            study affinity --results DIR --resume DIR | 2 | --results and --resume exclude each other
            conf                         | 2 | berth conf; needs one more word: spark or yarn
            conf sprak                   | 2 | unknown command 'sprak'; did you mean 'spark'?
            study collectors --gc g2     | 2 | --gc 'g2'; serial, parallel, g1, zgc, shenandoah
            study collectors -- true     | 2 | -- true: a study of collectors adds options behind 'java'
            compare --gc g1 -- java                | 2 | Unknown option; --gc
            compare --levels none -- true          | 1 | nothing to compare: none; --threads; --arm
            """)
    void wrongComparisons(String commandLine, int exitCode, String parts) {
        String[] words = commandLine.replace("DIR", folder.toString()).split(" +");
        requireOneLine(CommandLines.run(words), exitCode, parts);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
            tune                                   | 2 | give the command to tune; berth tune -- COMMAND
            tune --levels cores -- true            | 2 | unknown affinity level 'cores'
            tune --threads 1,0 -- true             | 2 | --threads 0; whole number, at least 1
            tune --budget soon -- true             | 2 | --budget soon: give a number of seconds
            tune --resume DIR --seed 1 -- true     | 2 | --resume and --seed exclude each other: the results keep their order
            tune --bound x -- true                 | 2 | --bound needs --balance-or-bind
            tune --arm half -- true                | 2 | --arm 'half': write NAME=OPTIONS
            tune --arm none=X=1 -- true            | 2 | --arm: two arms are called none
            tune --arm a=X=1 --levels none --runs 13 -- true | 2 | --runs 13; 1 candidate takes at least 14
            tune --arm a=X=1 -- DIR/no-program     | 127 | cannot run
            tune --levels none -- true             | 1 | nothing to tune; --arm
            compare --self-check --runs 4 -- true  | 2 | --self-check; at least 5
            compare --self-check --numactl -- true | 2 | --self-check and --numactl exclude each other; one arm with itself
            """)
    void wrongRaces(String commandLine, int exitCode, String parts) {
        String[] words = commandLine.replace("DIR", folder.toString()).split(" +");
        requireOneLine(CommandLines.run(words), exitCode, parts);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
            topo --input DIR/secret.xml                  | 1   | cannot read the topology; permission denied
            plan --level pu --topology DIR/shut/good.xml | 1   | cannot read the topology; permission denied
            topo --svg DIR/shut/x.svg                    | 1   | cannot write the SVG picture; permission denied
            topo --xml DIR/secret.xml                    | 1   | cannot write the hwloc XML; permission denied
            watch --svg DIR/secret.xml -- sleep 100      | 1   | cannot write the picture; permission denied
            watch --json DIR/none/x -- sleep 100         | 1   | cannot write the samples; no folder
            run --level none -- DIR/secret.xml           | 126 | cannot run; is not executable
            run --level none -- DIR/shut/program         | 126 | cannot run; permission denied
            compare --rule x --levels none,pu -- DIR/secret.xml               | 126 | cannot run; is not executable
            compare --rule x --levels none,pu --results DIR/shut/x -- true    | 1   | folder for results; permission denied
            compare --rule x --levels none,pu --json DIR/secret.xml -- true   | 1   | the summary; permission denied
            """)
    void missingPermission(String commandLine, int exitCode, String parts) throws IOException {
        Path secret = folder.resolve("secret.xml");
        Path shut = folder.resolve("shut");
        if (!Files.exists(secret)) {
            Files.createFile(secret, PosixFilePermissions.asFileAttribute(Set.of()));
            Files.createDirectory(shut, PosixFilePermissions.asFileAttribute(Set.of()));
        }
        List<String> before = List.of();
        if (Files.isReadable(secret)) {
            // Root may read everything by these capabilities; without them it is a user like any other.
            before = List.of("setpriv", "--bounding-set=-dac_override,-dac_read_search", "--inh-caps=-all");
        }
        String[] words = commandLine.replace("DIR", folder.toString()).split(" +");
        requireOneLine(CommandLines.fork(before, Map.of(), words), exitCode, parts);
    }

    @Test
    void showsTheStackTraceOnlyWhenAsked() {
        String[] wrong = {"plan", "--level", "core", "--cpus", "0-x", "--topology", "pack:1 core:2 pu:1"};
        assertThat(CommandLines.run(wrong).err()).doesNotContain("\tat org.berth");
        String[] verbose = new String[wrong.length + 1];
        verbose[0] = "--verbose";
        System.arraycopy(wrong, 0, verbose, 1, wrong.length);
        Result result = CommandLines.run(verbose);
        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.err())
                .startsWith("berth: --cpus 0-x")
                .contains("\tat org.berth.cli.shared.arguments.Arguments.cpus");
    }

    /** One of each class in a JVM of its own: System.exit, standard error and no warning of the JVM. */
    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
            plan --level cores                            | 2 | unknown affinity level 'cores'
            plan --level core --near nothing0             | 2 | --near nothing0: unknown device
            plan --level core --cpus 70000                | 2 | --cpus 70000; choose from
            plan --level core --cpus 0..3                 | 2 | --cpus 0..3; write a list such as 0-3,8
            topo --input DIR/cut.xml                      | 1 | cannot read the topology
            """)
    void fromAJvmOfItsOwn(String commandLine, int exitCode, String parts) {
        String[] words = commandLine.replace("DIR", folder.toString()).split(" +");
        requireOneLine(CommandLines.fork(List.of(), Map.of(), words), exitCode, parts);
    }

    @Test
    void aCpuOutsideOfTheInheritedMask() {
        int[] cpus = Machine.requireCpus(2);
        String both = KernelList.of(cpus[0], cpus[1]);
        Result result = CommandLines.fork(
                List.of("taskset", "-c", "" + cpus[0]), Map.of(), "plan", "--level", "core", "--cpus", both);
        requireOneLine(
                result, 2, "--cpus " + both + ": this process may not use CPU " + cpus[1] + "; choose from " + cpus[0]);
    }

    private static void requireOneLine(Result result, int exitCode, String parts) {
        // Somebody else on this machine may be comparing under other settings of the kernel, which is told first.
        String err = result.err().replaceAll("(?m)^berth: note: these runs are disturbed: .*\n", "");
        assertThat(err.lines()).as(err).hasSize(1);
        assertThat(err).startsWith("berth: ").endsWith("\n").doesNotContain("Exception");
        assertThat(err).contains(parts.split("; "));
        assertThat(result.out()).isEmpty();
        assertThat(result.exitCode()).isEqualTo(exitCode);
    }
}
