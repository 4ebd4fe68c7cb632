# Sourced by ./berth and by bin/berth of an archive (where it lies in lib/): the environment and flags of Berth's own JVM, and how
# `run` and `mapreduce` become their command.
# shellcheck shell=bash

# The command gets the caller's environment byte by byte. Bash would change some of it, such as SHLVL and SHELLOPTS.
mapfile -d '' -t inherited <"/proc/self/environ"

# Closed standard streams: the next file that is opened, which may be one to write to, would take their number. A stream that
# cannot be used in its direction takes it; the command finds it closed.
closed_streams=()
[[ -e /proc/self/fd/0 ]] || { exec 0>/dev/null && closed_streams+=(0); }
[[ -e /proc/self/fd/1 ]] || { exec 1</dev/null && closed_streams+=(1); }
[[ -e /proc/self/fd/2 ]] || { exec 2</dev/null && closed_streams+=(2); }

# A JVM that may open fewer files prints a page of errors, each about another one of its own.
files_needed=64
if [[ $(ulimit -n) != unlimited ]] && (($(ulimit -n) < files_needed)); then
  echo "berth: this process may open $(ulimit -n) files only (ulimit -n), and Berth's JVM needs $files_needed; raise the limit, for example by: ulimit -n 1024" >&2
  exit 1
fi

# A JVM reserves addresses for all that it may ever have.
addresses_needed=1500000
if [[ $(ulimit -v) != unlimited ]] && (($(ulimit -v) < addresses_needed)); then
  echo "berth: this process may use $(ulimit -v) KiB of addresses only (ulimit -v), and Berth's JVM needs about 3000000; raise the limit, for example by: ulimit -v unlimited" >&2
  exit 1
fi

# A JVM cannot start in a directory that has been removed. It can in one that its user may not search, where . is not found either.
if [[ ! $PWD -ef . && $(readlink /proc/self/cwd) == *' (deleted)' ]]; then
  echo "berth: the working directory $PWD has been removed; change to another one, for example by: cd /" >&2
  exit 1
fi

# hide NAME: keeps the caller's value for the CLI under another name (CallerEnvironment), for the commands that it starts.
hide() {
  [[ -z ${!1+set} ]] || export "BERTH_CALLER_$1=${!1}"
  unset "$1"
}

# Does the locale know letters beyond ASCII? In the POSIX locale it does not, nor where the one that is asked for is missing.
knows_letters() {
  local letter=$'\xc3\xa4'
  ((${#letter} == 1)) || [[ $'\xe4' == [[:alpha:]] ]]
}

# What the caller sets for other programs is not for our JVM and builds: the options that every JVM takes (a collector, a
# debugger, an agent), and a locale in which a JVM cannot open a file whose name has a letter beyond ASCII.
own_environment() {
  local name
  for name in "${!BERTH_CALLER_@}" BERTH_OWN; do unset "$name"; done
  for name in JAVA_TOOL_OPTIONS JDK_JAVA_OPTIONS _JAVA_OPTIONS; do hide "$name"; done
  ! knows_letters || return 0
  hide LC_ALL
  for name in C.UTF-8 C.utf8 en_US.UTF-8; do
    # Bash warns of a locale that is missing.
    { LC_ALL=$name; } 2>/dev/null
    ! knows_letters || break
  done
  export LC_ALL BERTH_OWN=LC_ALL
}
own_environment

# Native files of root are for JVMs of other users, too. MaxFDLimit off: HotSpot would raise the soft limit of open files, and `berth run` must hand on its own.
flags=(-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -XX:-UsePerfData -XX:-MaxFDLimit -Xshare:auto -Dorg.berth.native.shared=true)

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
  local command=("$1" "-Dorg.berth.command=$self" "-Dorg.berth.typed=$0" "${@:2}") words_file words status=0
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
  # A shell that waits would forget these two when its child ends well, and the command would run that was to be stopped.
  stopped=
  trap 'stopped=INT' INT
  trap 'stopped=QUIT' QUIT
  BERTH_LAUNCH_FILE=/proc/self/fd/$words_file "${command[@]}" </dev/null || status=$?
  trap - INT QUIT
  # Bash itself always ignores SIGQUIT.
  [[ -z $stopped ]] || { kill -"$stopped" $$ && exit $((128 + $(kill -l "$stopped"))); }
  mapfile -d '' -t words <&"$words_file"
  exec {words_file}>&-
  ((status == 0 && ${#words[@]} > 0)) || exit "$status"
  while [[ ${words[0]} == env ]]; do
    inherited+=("${words[1]}")
    words=("${words[@]:2}")
  done
  become "${words[@]:1}"
}

# become WORD…: executes a command in the caller's environment, with what the CLI adds to it.
become() {
  local stream variable variables=()
  for variable in "${inherited[@]}"; do
    [[ $variable != *=* ]] || variables+=("$variable")
  done
  for stream in "${closed_streams[@]}"; do exec {stream}>&-; done
  # env(1) would take such a word for one more variable.
  [[ $1 != *=* ]] || set -- sh -c 'exec "$@"' sh "$@"
  exec -c /usr/bin/env -- "${variables[@]}" "$@"
}
