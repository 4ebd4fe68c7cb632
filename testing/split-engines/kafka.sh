# Sourced by check: two brokers in KRaft mode (with controllers) by `berth split`, and Kafka's own performance tools as their work.
# shellcheck shell=bash disable=SC2154 # variables of check

kafka() {
  local records=$1 i n pid masks handlers code perf=()
  [[ -n $(ls "$here/kafka/target/lib" 2>/dev/null) ]] ||
    (cd "$here/kafka" && mvn -B -ntp -q dependency:copy-dependencies -DincludeScope=runtime -DoutputDirectory=target/lib)
  for i in 0 1; do
    cat >"$folder/$i.properties" <<TEXT
process.roles=broker,controller
node.id=$((1 + i))
controller.quorum.voters=$((1 + i))@localhost:$((19093 + i))
listeners=PLAINTEXT://localhost:$((19192 + i)),CONTROLLER://localhost:$((19093 + i))
controller.listener.names=CONTROLLER
advertised.listeners=PLAINTEXT://localhost:$((19192 + i))
log.dirs=$folder/data-$i
offsets.topic.replication.factor=1
transaction.state.log.replication.factor=1
num.partitions=4
TEXT
    "$java" -cp "$here/kafka/target/lib/*" kafka.tools.StorageTool format --standalone -t "$("$java" -cp "$here/kafka/target/lib/*" \
      kafka.tools.StorageTool random-uuid 2>/dev/null)" -c "$folder/$i.properties" >"$folder/format-$i.log" 2>&1 ||
      "$java" -cp "$here/kafka/target/lib/*" kafka.tools.StorageTool format -t "MkU3OEVBNTcwNTJENDM2Q${i}" \
        -c "$folder/$i.properties" >"$folder/format-$i.log" 2>&1 || die "$(tail -n 3 "$folder/format-$i.log")"
  done

  "$berth" split --into 2 --heap 1g --preset kafka --json "$folder/report.json" -- \
    "$java" '-Xmx{heap}' -cp "$here/kafka/target/lib/*" kafka.Kafka "$folder/{i}.properties" >"$folder/out" 2>"$folder/err" &
  split=$!
  for i in 0 1; do
    for ((n = 0; n < 300; n++)); do
      # No backend of SLF4J is there, so the port tells that the broker is up.
      ! (: <"/dev/tcp/localhost/$((19192 + i))") 2>/dev/null || break
      kill -0 "$split" 2>/dev/null || die "the brokers have ended: $(tail -n 5 "$folder/err")"
      sleep 1
    done
  done
  for i in 0 1; do
    pid=$(sed -n "s/^berth: $i: PID \([0-9]*\),.*/\1/p" "$folder/err")
    [[ -n $pid ]] || die "no place is reported for broker $i: $(<"$folder/err")"
    masks=$(grep -h Cpus_allowed_list "/proc/$pid/task"/*/status | sort | uniq -c)
    handlers=$(cat "/proc/$pid/task"/*/comm | grep -c '^data-plane-kaf' || true)
    echo "broker $i, PID $pid, $handlers handlers and network threads; threads by mask:" "$masks"
    grep -q -- "-Xmx512m" <(tr '\0' ' ' <"/proc/$pid/cmdline") || die "broker $i has another heap"
    "$java" -Xmx256m -cp "$here/kafka/target/lib/*" org.apache.kafka.tools.ProducerPerformance --topic t --num-records "$records" \
      --record-size 1000 --throughput -1 --producer-props "bootstrap.servers=localhost:$((19192 + i))" >"$folder/perf-$i" 2>&1 &
    perf[i]=$!
  done
  for i in 0 1; do
    wait "${perf[i]}" || die "the producer of broker $i failed: $(tail -n 5 "$folder/perf-$i")"
    echo "broker $i: $(tail -n 1 "$folder/perf-$i")"
  done
  kill -TERM "$split"
  code=0
  wait "$split" || code=$?
  split=
  ((code == 143)) || die "split ended with $code instead of 143"
  grep -E '^berth: [01]: (PID|ended)' "$folder/err"
  echo "testing/split-engines: Kafka's two brokers ran, each in its part"
}
