# Sourced by check: a JobManager, and TaskManagers by `berth split`: two unbound, two in their parts, and one whose threads the preset deals
# out. Their work are Flink's own examples: StateMachineExample, a job without an end, and WordCount on a file, whose result is known.
# shellcheck shell=bash disable=SC2154 # variables of check

flink_libraries() {
  [[ -n $(ls "$here/flink/target/lib" 2>/dev/null) ]] ||
    (cd "$here/flink" && mvn -B -ntp -q dependency:copy-dependencies -DincludeScope=runtime -DoutputDirectory=target/lib)
  local version
  version=$(sed -n 's|.*<flink.version>\(.*\)</flink.version>.*|\1|p' "$here/flink/pom.xml")
  examples=$here/flink/target/flink-examples-streaming-$version.jar
  # Without the libraries that it names: they are there, and the cluster gets the job alone.
  [[ -f $examples ]] || (cd "$here/flink" && mvn -B -ntp -q dependency:copy \
    -Dartifact="org.apache.flink:flink-examples-streaming:$version" -DoutputDirectory=target)
}

# What Flink's scripts give a JVM (env.java.opts.all of its config.yaml).
flink_java=(-Xshare:auto --add-exports=java.rmi/sun.rmi.registry=ALL-UNNAMED)
for package in java.lang java.net java.io java.nio java.text java.time java.util java.util.concurrent java.util.concurrent.atomic java.util.concurrent.locks; do
  flink_java+=("--add-opens=java.base/$package=ALL-UNNAMED")
done

# flink_rest PORT PATH: the answer of the JobManager.
flink_rest() {
  exec 9<>"/dev/tcp/localhost/$1" || return 1
  printf 'GET %s HTTP/1.0\r\nHost: localhost\r\n\r\n' "$2" >&9
  cat <&9
  exec 9>&-
}

# flink_client FOLDER OPTION…: Flink's command, with its configuration.
flink_client() {
  FLINK_CONF_DIR=$1 "$java" "${flink_java[@]}" -Xmx256m -cp "$here/flink/target/lib/*" org.apache.flink.client.cli.CliFrontend "${@:2}"
}

# flink_masks PID: a line "MASK NAME" for each Java thread, by the names that the kernel cuts off and the JVM does not.
flink_masks() {
  local line nid
  "${java%java}jcmd" "$1" Thread.print 2>/dev/null | while read -r line; do
    [[ $line =~ ^\"(.*)\"\ .*nid=(0x[0-9a-f]+|[0-9]+) ]] || continue
    nid=$((BASH_REMATCH[2]))
    sed -n "s/^Cpus_allowed_list:\t\(.*\)/\1 ${BASH_REMATCH[1]//[\/&\\]/\\&}/p" "/proc/$1/task/$nid/status" 2>/dev/null || true
  done
}

# flink_run NAME PARTS PORT [OPTION…]: one cluster; the options are those of split.
flink_run() {
  local name=$1 parts=$2 port=$3 work=$folder/$1 slots i n pid pids=() seconds client
  shift 3
  mkdir -p "$work/conf"
  cat >"$work/conf/config.yaml" <<TEXT
jobmanager.rpc.address: localhost
jobmanager.rpc.port: $((port + 1))
rest.address: localhost
rest.port: $port
rest.bind-port: "$port"
taskmanager.host: localhost
taskmanager.memory.framework.heap.size: 64m
taskmanager.memory.task.heap.size: 256m
taskmanager.memory.framework.off-heap.size: 64m
taskmanager.memory.task.off-heap.size: 0
taskmanager.memory.managed.size: 128m
taskmanager.memory.network.min: 64m
taskmanager.memory.network.max: 64m
taskmanager.memory.jvm-metaspace.size: 128m
taskmanager.memory.jvm-overhead.min: 64m
taskmanager.memory.jvm-overhead.max: 64m
io.tmp.dirs: $work
TEXT
  "$java" "${flink_java[@]}" -Xmx384m -cp "$here/flink/target/lib/*" \
    org.apache.flink.runtime.entrypoint.StandaloneSessionClusterEntrypoint --configDir "$work/conf" >"$work/jobmanager" 2>&1 &
  others+=($!)
  "$berth" split --into "$parts" --heap "$((parts * 384))m" "$@" -- \
    "$java" '-Xmx{heap}' "${flink_java[@]}" -cp "$here/flink/target/lib/*" org.apache.flink.runtime.taskexecutor.TaskManagerRunner \
    --configDir "$work/conf" '-Dtaskmanager.resource-id=task-manager-{i}' '-Dtaskmanager.numberOfTaskSlots={cpucount}' \
    '-Dtaskmanager.cpu.cores={cpucount}' >"$work/out" 2>"$work/err" &
  split=$!
  for ((n = 0; n < 300; n++)); do
    [[ $(flink_rest "$port" /overview 2>/dev/null) != *"\"taskmanagers\":$parts,"* ]] || break
    kill -0 "$split" 2>/dev/null || die "the TaskManagers have ended: $(tail -n 5 "$work/err")"
    sleep 1
  done
  slots=$(flink_rest "$port" /overview | sed -n 's/.*"slots-total":\([0-9]*\).*/\1/p')
  [[ -n $slots ]] || die "no TaskManagers came: $(tail -n 5 "$work/jobmanager" "$work/out")"

  flink_client "$work/conf" run -d -p "$slots" -c org.apache.flink.streaming.examples.statemachine.StateMachineExample "$examples" \
    --rps 100000 >"$work/state-machine" 2>&1 || die "the job was refused: $(tail -n 20 "$work/state-machine")"
  for ((i = 0; i < parts; i++)); do
    pid=$(sed -n "s/^berth: $i: PID \([0-9]*\),.*/\1/p" "$work/err")
    [[ -n $pid ]] || die "no place is reported for TaskManager $i: $(<"$work/err")"
    pids+=("$pid")
    for ((n = 0; n < 120; n++)); do
      ! grep -q '^Flat Map' "/proc/$pid/task"/*/comm || break
      sleep 1
    done
    echo "Flink, $name: TaskManager $i, PID $pid, threads by mask:" \
      "$(grep -h Cpus_allowed_list "/proc/$pid/task"/*/status | cut -f2 | sort | uniq -c | tr -s ' \n' ' ')"
    flink_masks "$pid" >"$work/threads-$i"
  done
  flink_client "$work/conf" list >"$work/jobs" 2>&1
  flink_client "$work/conf" cancel "$(sed -n 's/.* : \([0-9a-f]\{32\}\) : .*/\1/p' "$work/jobs")" >"$work/cancel" 2>&1 || die "$(<"$work/cancel")"

  seconds=$(date +%s%N)
  flink_client "$work/conf" run -p "$slots" -c org.apache.flink.streaming.examples.wordcount.WordCount "$examples" \
    --execution-mode BATCH --input "$folder/words" --output "$work/counts" >"$work/word-count" 2>&1 &
  client=$!
  while kill -0 "$client" 2>/dev/null; do
    for i in "${!pids[@]}"; do flink_masks "${pids[i]}" >>"$work/threads-$i"; done
    sleep 1
  done
  wait "$client" || die "WordCount failed: $(tail -n 20 "$work/word-count")"
  seconds=$((($(date +%s%N) - seconds) / 1000000))
  echo "Flink, $name: WordCount of $(du -m "$folder/words" | cut -f1) MB took $seconds ms, $(sed -n 's/Job Runtime: //p' "$work/word-count") of them the job"
  find "$work/counts" -type f -exec cat {} + | tr -d '()' | tr , ' ' | sort >"$work/counted"
  cmp "$folder/expected" "$work/counted" || die "WordCount counted otherwise than awk; see $work"
  kill -TERM "$split"
  n=0
  wait "$split" || n=$?
  split=
  kill "${others[@]}"
  wait "${others[@]}" || true
  others=()
  ((n == 143)) || die "split ended with $n instead of 143"
}

flink() {
  local megabytes=$1
  (($(nproc) > 1)) || die "Flink by split needs two CPUs"
  flink_libraries
  # Words of a known number, and the counts that WordCount must find.
  awk -v lines="$((megabytes * 1024 * 1024 / 80))" 'BEGIN { srand(7)
    for (i = 0; i < lines; i++) { s = ""; for (j = 0; j < 10; j++) s = s "word" int(rand() * 5000) " "; print s } }' >"$folder/words"
  awk '{ for (i = 1; i <= NF; i++) n[$i]++ } END { for (w in n) print w, n[w] }' "$folder/words" | sort >"$folder/expected"
  flink_run unbound 2 18081 --unbound
  flink_run bound 2 18091 --preset flink
  flink_run rules 1 18101 --preset flink --level pu
  # Subtasks have a CPU each, and what helps them all CPUs of the process.
  sort -u "$folder/rules/threads-0" >"$folder/rules/masks"
  local subtask='^[0-9]+ .* \([0-9]+/[0-9]+\)#[0-9]+$' helper='^[0-9,-]+ (.* for |Channel state writer )'
  echo "Flink, rules: threads with a CPU of their own:"
  grep -E '^[0-9]+ ' "$folder/rules/masks"
  grep -qE "$subtask" "$folder/rules/masks" || die "no subtask has a slot"
  ! grep -E "$helper" "$folder/rules/masks" | grep -E '^[0-9]+ ' || die "a helper of a subtask has a slot"
  echo "testing/split-engines: Flink's TaskManagers ran, each in its part"
}
