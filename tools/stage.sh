# Sourced by ./release and testing/sample/check, after tools/setup.sh: the artifacts that are published, as a Maven repository.
# shellcheck shell=bash

# The modules with what an outside project may depend on; -am adds what they need, of which nothing else is deployed.
published=bom,place/drawing,place/testing,packaging/spark,packaging/hadoop

# stage TREE DIRECTORY [MAVEN OPTION…]: builds them with sources and javadoc, and deploys them into DIRECTORY.
stage() {
  local tree=$1 directory=$2 log=$1/target/stage.log
  shift 2
  rm -rf "$directory" && mkdir -p "$directory" "$tree/target"
  (cd "$tree" && mvn -B -ntp -Dquick -DskipTests -Ppublish -pl "$published" -am "$@" deploy \
    "-DaltDeploymentRepository=staged::file://$directory") >"$log" 2>&1 </dev/null || {
    reasons "$log" >&2
    die "the modules cannot be staged: the reason is above; $log has all of it."
  }
}
