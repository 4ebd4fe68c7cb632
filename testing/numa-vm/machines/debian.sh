# Sourced by the machines of other processors than the host's: kernel, programs and JREs from Debian's packages of that processor, fetched
# with an apt whose lists, status and idea of the architecture are in $work/apt. The host's own are not touched.
# shellcheck shell=bash disable=SC2154,SC2034 # variables of guest and of the machine

jres=(17 25 21)

host_needs() {
  local pair
  for pair in "$emulator:$emulator_package" dtc:device-tree-compiler "$triple-gcc:gcc-${triple/_/-}"; do
    command -v "${pair%%:*}" >/dev/null || echo "${pair#*:}"
  done
  [[ -e /usr/$triple/lib/libc.a ]] || echo "libc6-dev-$debian-cross"
}

# The suites that the host has, from where it has them, and Debian's stable one, which may have newer JREs.
make_apt() {
  local site suite kept=$work/apt
  [[ -z ${APT_CONFIG-} ]] || return 0
  mkdir -p "$kept"/state/lists/partial "$kept"/cache/archives/partial "$kept"/etc/{preferences.d,apt.conf.d}
  : >"$kept/status"
  # apt expands the words.
  # shellcheck disable=SC2016
  apt-get indextargets --format '$(ORIGIN) $(COMPONENT) $(SITE) $(RELEASE) $(LABEL)' 'Created-By: Packages' |
    awk '$1 == "Debian" && $2 == "main" && !seen[$3 $4]++ { print $3, $4; if ($5 == "Debian" && $4 !~ /-/) stable = $3 }
      END { if (stable) print stable, "stable" }' >"$kept/suites"
  [[ -s $kept/suites ]] || die "apt knows no mirror of Debian; run: apt-get update"
  while read -r site suite; do
    echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $site $suite main"
  done <"$kept/suites" >"$kept/sources.list"
  printf '%s;\n' "Dir::State \"$kept/state\"" "Dir::State::status \"$kept/status\"" "Dir::Cache \"$kept/cache\"" "Dir::Etc \"$kept/etc\"" \
    "Dir::Etc::sourcelist \"$kept/sources.list\"" "APT::Architecture \"$debian\"" "APT::Architectures \"$debian\"" \
    'APT::Sandbox::User "root"' 'APT::Install-Recommends "false"' 'Acquire::Languages "none"' >"$kept/apt.conf"
  export APT_CONFIG=$kept/apt.conf
  # A list that cannot be fetched, as while a mirror is brought up to date, may not be one that is needed.
  apt-get -q update >"$kept/log" 2>&1 || true
}

kernel() {
  local package
  make_apt
  for package in "${kernels[@]}"; do
    package=$(apt-cache depends "$package" 2>/dev/null | sed -n 's/.*Depends: //p' | head -1)
    [[ -z $package ]] || break
  done
  [[ -n $package ]] || die "Debian's mirror has none of these kernels for $arch: ${kernels[*]}; see $work/apt/log"
  fetch_kernel "$package"
  cp "$work"/kernel/boot/vmlinu[xz]-* "$work/vmlinux"
}

static_busybox() {
  echo "$work/disk/usr/bin/busybox"
}

# Packages of one suite or another by their own dependencies; nothing of them runs on the host.
fill_root() {
  local root=$1 package version wanted=() archives=$work/apt/cache/archives
  make_apt
  for version in "${jres[@]}"; do
    ((${#wanted[@]} < 2)) || break
    package=openjdk-$version-jre-headless
    [[ -z $(apt-cache madison "$package" 2>/dev/null) ]] || wanted+=("$package")
  done
  ((${#wanted[@]} > 0)) || die "Debian's mirror has no JRE of ${jres[*]} for $arch; see $work/apt/log"
  say "fetching programs and ${wanted[*]} of $debian …"
  wanted+=(busybox-static bash numactl util-linux perl-base hwloc-nox)
  apt-get -y -q install --download-only "${wanted[@]}" >"$work/apt/log" 2>&1 ||
    die "apt-get could not fetch them; see $work/apt/log"
  # As Debian's installer makes them before the first package.
  mkdir -p "$root"/usr/{bin,sbin,lib,lib64}
  for package in bin sbin lib lib64; do ln -s "usr/$package" "$root/$package"; done
  # An earlier build may have left other versions in addition to these.
  apt-get -s install "${wanted[@]}" | sed -n -E 's/^Inst ([^ ]+) \(([^ ]+) .*\[([^]]+)\].*/\1_\2_\3.deb/p' | sed 's/:/%3a/g' >"$work/packages"
  while read -r package; do
    dpkg-deb --fsys-tarfile "$archives/$package" | tar -x -C "$root" --keep-directory-symlink --exclude='./usr/share/doc/*' --exclude='./usr/share/man/*' \
      --exclude='./usr/share/locale/*'
  done <"$work/packages"
  for version in "${jres[@]}"; do
    for package in "$root/usr/lib/jvm/java-$version-openjdk"-*; do
      [[ ! -d $package ]] || ln -s "${package#"$root"}" "$root/jre/$version"
    done
  done
}

# The archives of classes, which Debian's packages make when they are installed: each JRE makes its own in the guest.
finish_disk() {
  local share=$work/finish
  say "the JREs make their archives of classes in the guest …"
  mkdir -p "$share"
  cat >"$share/run.sh" <<'TEXT'
mount -o remount,rw /
code=0
for jre in /jre/*; do
  echo "guest: $($jre/bin/java -version 2>&1 | head -n 1)"
  $jre/bin/java -XX:TieredStopAtLevel=1 -Xshare:dump >/tmp/dump 2>&1 || { cat /tmp/dump; code=1; }
done
mount -o remount,ro /
exit $code
TEXT
  root_disk=readonly=off run 1 "$share" || die "the guest of $arch could not be finished; see $work"
}

made_of() {
  sha256sum "$here/machines/debian.sh"
}
