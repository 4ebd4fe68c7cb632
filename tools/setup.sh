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

# ensure PACKAGE…: installs them with the package manager where the user is root, else says the one line to run.
ensure_packages() {
  (($# == 0)) && return 0
  if ! command -v apt-get >/dev/null; then
    die "missing on this machine: $* (names of Debian's packages). Install them and start again."
  fi
  if ((EUID != 0)); then
    die "missing on this machine: $*. Run this once, then start again:  sudo apt-get install -y $*"
  fi
  say "installing $* …"
  local log
  log=$(mktemp)
  if ! { apt-get install -y --no-install-recommends "$@" ||
    { apt-get update && apt-get install -y --no-install-recommends "$@"; }; } >"$log" 2>&1 </dev/null; then
    tail -n 5 "$log" >&2
    rm -f "$log"
    die "apt-get could not install $*. See the lines above; install them by hand and start again."
  fi
  rm -f "$log"
}

# set_up [PACKAGE…]: JDK 17+, Maven, gcc, make and cmake, and the packages named; sets and exports JAVA_HOME.
set_up() {
  local missing=() jdk
  [[ -n $(jdks) ]] || missing+=(openjdk-17-jdk-headless)
  command -v mvn >/dev/null || missing+=(maven)
  command -v gcc >/dev/null || missing+=(gcc libc6-dev)
  command -v make >/dev/null || missing+=(make)
  command -v cmake >/dev/null || missing+=(cmake)
  ensure_packages "${missing[@]}" "$@"
  read -r jdk < <(jdks) || die "no JDK 17 or later found after the installation. Set JAVA_HOME to one and start again."
  export JAVA_HOME=$jdk
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
    grep -m 12 -E '^\[ERROR\]' "$log" >&2 || tail -n 12 "$log" >&2
    die "the build failed; target/build.log holds all of it."
  fi
}
