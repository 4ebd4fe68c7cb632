# Sourced by ./berth and ./verify: finds what the build needs, installs it where it may, and builds.
# Nothing here runs on the fast path of ./berth (a built checkout), which must stay within 0.6 s.
# shellcheck shell=bash disable=SC2154,SC2120 # $top comes from the script that sources this

say() { printf 'berth: %s\n' "$*" >&2; }
die() {
  say "$*"
  exit 1
}

# jdk_version DIR: the feature version of the JDK in DIR (17, 21, …), read from its release file because
# starting a JVM to ask costs 50 ms; fails when there is no compiler in it.
jdk_version() {
  local line
  [[ -x $1/bin/javac && -r $1/release ]] || return 1
  while IFS= read -r line; do
    if [[ $line =~ ^JAVA_VERSION=\"(1\.)?([0-9]+) ]]; then
      printf '%s\n' "${BASH_REMATCH[2]}"
      return 0
    fi
  done <"$1/release"
  return 1
}

# jdks: every JDK 17 or later on this machine, the preferred one first: JAVA_HOME, javac of the PATH, then
# the usual folders in ascending version.
jdks() {
  local candidate version javac seen=:
  {
    [[ -z ${JAVA_HOME-} ]] || printf '0 %s\n' "$JAVA_HOME"
    if javac=$(command -v javac); then
      javac=$(readlink -f "$javac")
      printf '1 %s\n' "${javac%/bin/javac}"
    fi
    for candidate in /usr/lib/jvm/* /opt/java/* /opt/jdk* "${HOME-}"/.sdkman/candidates/java/*; do
      # With pipefail a last folder that is no JDK would otherwise end the script that asks.
      version=$(jdk_version "$candidate") || continue
      printf '%s %s\n' "$version" "$candidate"
    done
  } | sort -s -n -k1,1 | while read -r _ candidate; do
    candidate=$(readlink -f "$candidate")
    version=$(jdk_version "$candidate") || continue
    ((version >= 17)) || continue
    [[ $seen == *:$candidate:* ]] && continue
    seen+=$candidate:
    printf '%s\n' "$candidate"
  done
}

# jdk_package: the name of Debian's package of a JDK 17 or later: the default one, which is 17 or later since Debian 12 and
# Ubuntu 24.04, else the first that apt knows.
jdk_package() {
  local version name
  version=$(apt-cache --no-all-versions show default-jdk-headless 2>/dev/null | sed -n -E 's/^Version: ([0-9]+:)?1\.([0-9]+).*/\2/p')
  if ((${version:-17} < 17)); then
    for name in openjdk-{17,21,25}-jdk-headless; do
      [[ -z $(apt-cache --no-all-versions show "$name" 2>/dev/null) ]] || { echo "$name" && return; }
    done
  fi
  echo default-jdk-headless
}

# apt_line PACKAGE…: what installs them, also on a new image, whose apt has no lists yet.
apt_line() {
  local sudo=
  ((EUID == 0)) || ! command -v sudo >/dev/null || sudo='sudo '
  echo "${sudo}apt-get update && ${sudo}apt-get install -y --no-install-recommends $*"
}

# ensure_packages PACKAGE…: installs them where the user is root and there is apt, else prints the one line that does.
ensure_packages() {
  (($# == 0)) && return 0
  local log
  if ! command -v apt-get >/dev/null; then
    die "missing on this machine: $* (names of Debian's packages). Install them and start again."
  fi
  if ((EUID != 0)); then
    die "missing on this machine: $*. Run this line as root, then start again:  $(apt_line "$@")"
  fi
  say "installing $* …"
  log=$(mktemp)
  export DEBIAN_FRONTEND=noninteractive
  if ! { apt-get install -y --no-install-recommends "$@" || bash -c "$(apt_line "$@")"; } >"$log" 2>&1 </dev/null; then
    grep -E '^(E|Err|W):' "$log" | tail -n 5 >&2 || tail -n 5 "$log" >&2
    rm -f "$log"
    die "apt-get could not install $*: the reason is above. Install them by hand and start again."
  fi
  rm -f "$log"
}

# without_jvm_options: options that every JVM takes (a collector, a debugger, an agent) are for other programs than builds and tests.
without_jvm_options() {
  local name given=()
  for name in JAVA_TOOL_OPTIONS JDK_JAVA_OPTIONS _JAVA_OPTIONS; do
    [[ -z ${!name+set} ]] || given+=("$name")
    unset "$name"
  done
  ((${#given[@]} == 0)) || say "${given[*]} set in the environment: not used here"
}

# set_up [--wished] [PACKAGE…]: JDK 17+, Maven, gcc, make and cmake, and the packages named; sets and exports JAVA_HOME. Without the
# right to install, packages that are only wished for are named, and it goes on.
set_up() {
  local missing=() wished=() jdk
  without_jvm_options
  [[ ${1-} != --wished ]] || { wished=("${@:2}") && set --; }
  command -v mvn >/dev/null || missing+=(maven)
  command -v gcc >/dev/null || missing+=(gcc)
  # Debian's compiler alone has no headers.
  gcc -E -x c -o /dev/null - <<<'#include <stdlib.h>' 2>/dev/null || missing+=(libc6-dev)
  command -v make >/dev/null || missing+=(make)
  command -v cmake >/dev/null || missing+=(cmake)
  [[ -n $(jdks) ]] || missing+=("$(jdk_package)")
  missing+=("$@")
  if ((${#missing[@]} == 0 && ${#wished[@]} > 0 && EUID != 0)); then
    say "not installed: ${wished[*]}; the checks that need them are skipped. This line, as root, brings them:  $(apt_line "${wished[@]}")"
    wished=()
  fi
  ensure_packages "${missing[@]}" "${wished[@]}"
  read -r jdk < <(jdks) || die "no JDK 17 or later found after the installation. Set JAVA_HOME to one and start again."
  export JAVA_HOME=$jdk
}

# reasons LOG: why a build failed, without the build tool's own lines: those of compilers, linkers and scripts of ours, else what Maven
# could not do.
reasons() {
  grep -m 12 -E '^berth: |\.java:\[[0-9]|\.[ch]:[0-9]+:[0-9]+: (fatal )?error: |^CMake Error|undefined reference|cannot find -l' "$1" |
    sed 's/^\[ERROR\] //' | grep . ||
    sed -n -E '/\[Help|full stack trace|Re-run Maven|For more information|After correcting/d; s/^\[ERROR\] +(.)/\1/p' "$1" | head -n 12 | grep . ||
    tail -n 12 "$1"
}

# build TARGET…: Maven modules with what they need, tests not run, one line of progress a module.
build() {
  local modules=$1 log
  log=$top/target/build.log
  if ! { mkdir -p "$top/target" && : >"$log"; } 2>/dev/null; then
    die "it must be built (first use, changed sources or another place), and user $(id -un) may not write to $top." \
      "Let $(stat -c %U "$top") start ./berth once, or make a clone of your own."
  fi
  say "building (first use or changed sources; the log is target/build.log) …"
  if ! (cd "$top" && mvn -B -ntp -Dquick -DskipTests -pl "$modules" -am package 2>&1 </dev/null) | tee "$log" |
    awk '/^\[INFO\] Building Berth/ { $1 = $2 = ""; sub(/^ +/, ""); sub(/ 0\.[^ ]+ /, " "); print "berth:   " $0; fflush() }' >&2; then
    reasons "$log" >&2
    die "the build failed: the reason is above; target/build.log has all of it."
  fi
}
