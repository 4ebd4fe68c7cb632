# Sourced by checks that begin with nothing but a Debian: makes its root file system.
# shellcheck shell=bash disable=SC2154 # $top comes from the script that sources this, with tools/setup.sh

# debian_root SUITE: prints the folder of its root file system, which debootstrap makes once. Copy it before you change it. Needs root
# and debootstrap.
debian_root() {
  local suite=$1 made=$top/target/debian mirror
  if [[ ! -e $made/$suite/etc/debian_version ]]; then
    # The mirror that this machine uses for Debian's own packages; apt expands the words.
    # shellcheck disable=SC2016
    mirror=$(apt-get indextargets --format '$(REPO_URI) $(ORIGIN) $(LABEL)' | awk '$2 == "Debian" && $3 == "Debian" { print $1; exit }')
    [[ -n $mirror ]] || die "apt knows no mirror of Debian; run: apt-get update"
    say "debootstrap $suite …"
    rm -rf "$made/making.$suite" && mkdir -p "$made"
    debootstrap --variant=minbase "$suite" "$made/making.$suite" "$mirror" >"$made/debootstrap.$suite.log" 2>&1 ||
      { tail -n 5 "$made/debootstrap.$suite.log" >&2 && die "debootstrap $suite failed"; }
    mv "$made/making.$suite" "$made/$suite"
  fi
  printf '%s\n' "$made/$suite"
}
