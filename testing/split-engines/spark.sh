# Sourced by check: `berth tune` races executors of a real application of Spark, whose tasks exclude each other in a JVM; so two executors
# are faster than one, on any machine. The line that it prints must make them.
# shellcheck shell=bash disable=SC2154 # variables of check

spark() {
  local lib=$top/measure/jobs/target/jobs/lib words=() line took
  (($(nproc) > 1)) || die "a race of shapes needs two CPUs"
  if [[ -z $(ls "$lib" 2>/dev/null) ]]; then
    (cd "$top" && mvn -B -ntp -q -Dquick -DskipTests -pl :berth-jobs -am package)
  fi
  mkdir -p "$folder/classes"
  "${java%java}javac" -cp "$lib/*" -d "$folder/classes" "$here/spark/LockedTasks.java"
  words=("$java" -Xmx512m --add-opens=java.base/java.lang=ALL-UNNAMED --add-opens=java.base/java.nio=ALL-UNNAMED
    --add-opens=java.base/java.util=ALL-UNNAMED --add-opens=java.base/sun.nio.ch=ALL-UNNAMED
    --add-exports=java.base/sun.nio.ch=ALL-UNNAMED --add-opens=java.base/java.lang.invoke=ALL-UNNAMED
    -cp "$folder/classes:$lib/*" LockedTasks)
  ln -s "$lib" "$folder/jars"
  export SPARK_HOME=$folder SPARK_SCALA_VERSION=2.13 SPARK_LOCAL_IP=127.0.0.1
  (cd "$folder" && "$berth" tune --into 2 --spark --levels auto --heap 1g --runs "$1" --metric 'job=took ([0-9.]+) s' \
    --results "$folder/race" -- "${words[@]}") >"$folder/out" 2>"$folder/err" ||
    die "the race has no answer: $(<"$folder/out") $(tail -n 5 "$folder/race/warm-up"/*.log)"
  cat "$folder/out"
  line=$(sed -n 's/^Use: //p' "$folder/out")
  [[ $line == *local-cluster\[2,* ]] || die "the winner is not two executors: $line"
  took=$(cd "$folder" && bash -c "$line" 2>"$folder/last" | grep '^took') || die "the line does not run: $(tail -n 5 "$folder/last")"
  [[ $took == *"on 2 executors" ]] || die "the line made another shape: $took"
  echo "testing/split-engines: a race of Spark's executors found two, and its line makes them ($took)"
}
