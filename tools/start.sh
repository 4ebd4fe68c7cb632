# Sourced by ./berth and by bin/berth of an archive (where it lies in lib/): the JVM's flags, and how `run` and `mapreduce`
# become their command.
# shellcheck shell=bash

# MaxFDLimit off: HotSpot would raise the soft limit of open files, and `berth run` must hand on its own.
flags=(-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -XX:-UsePerfData -XX:-MaxFDLimit -Xshare:auto)

# from_archive FILE: reads classes from a class-data archive. Errors only: of an archive that is older than a jar, after a
# build by hand, the JVM would warn at each start.
from_archive() {
  flags+=(-XX:SharedArchiveFile="$1" -Xlog:disable -Xlog:all=error:stderr)
}

# Does `run`, `mapreduce` or `split --only` hand over a command?
becomes_command() {
  local word
  case ${1-} in
    run | mapreduce) return 0 ;;
    split)
      for word in "${@:2}"; do
        [[ $word != -- ]] || return 1
        [[ $word != --only && $word != --only=* ]] || return 0
      done
      ;;
  esac
  return 1
}

# start_cli JAVA FLAG… -jar JAR ARGUMENT…: becomes the CLI, or what the CLI hands over.
start_cli() {
  # shellcheck disable=SC2154
  local command=("$1" "-Dorg.berth.command=$self" "${@:2}") words_file words status=0
  while [[ $1 != -jar ]]; do shift; done
  becomes_command "${@:3}" || exec "${command[@]}"

  # These leave no process of ours behind: the CLI checks the request and writes down what to start, and this
  # shell, whose PID, stdin and signals the caller already has, becomes that command.
  launch=
  trap 'rm -f "$launch"' EXIT
  launch=$(mktemp "${TMPDIR:-/tmp}/berth-launch.XXXXXX" 2>/dev/null) || {
    echo "berth: cannot make a temporary file in ${TMPDIR:-/tmp}; set TMPDIR to a directory that can be written" >&2
    trap - EXIT
    exit 1
  }
  # Without its name the file is left by no signal, and no CLI that outlives this shell makes it anew.
  exec {words_file}<>"$launch"
  rm -f "$launch"
  trap - EXIT
  BERTH_LAUNCH_FILE=/proc/self/fd/$words_file "${command[@]}" </dev/null || status=$?
  mapfile -d '' -t words <&"$words_file"
  exec {words_file}>&-
  ((status == 0 && ${#words[@]} > 0)) || exit "$status"
  while [[ ${words[0]} == env ]]; do
    export "${words[1]}"
    words=("${words[@]:2}")
  done
  exec "${words[@]:1}"
}
