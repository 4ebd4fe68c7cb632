#!/bin/sh
# Discovery script of the Spark resource "cpuslot": the CPUs that this process may use, as addresses that the plugin of
# Berth binds tasks to. One PU each, first PUs of all cores first; with BERTH_CPUSLOT=core one core each ("3,35").
# Needs nothing but sh and /sys. In spark-defaults.conf:
#   spark.worker.resource.cpuslot.discoveryScript    /path/of/berth-cpuslot.sh
# The amount is the number of addresses; `berth-cpuslot.sh --count` prints it.
set -eu
unit=${BERTH_CPUSLOT:-pu}
case $unit in
core | pu) ;;
*)
    echo "berth-cpuslot.sh: BERTH_CPUSLOT=$unit is neither core nor pu" >&2
    exit 1
    ;;
esac

# "0-2,8" to "0 1 2 8"
expand() {
    echo "$1" | tr ',' '\n' | while IFS=- read -r from to; do
        cpu=$from
        while [ "$cpu" -le "${to:-$from}" ]; do
            echo "$cpu"
            cpu=$((cpu + 1))
        done
    done
}

allowed=$(sed -n 's/^Cpus_allowed_list:[[:space:]]*//p' /proc/self/status)
[ -n "$allowed" ] || {
    echo "berth-cpuslot.sh: /proc/self/status does not tell the CPUs of this process" >&2
    exit 1
}
cpus=" $(expand "$allowed" | tr '\n' ' ')"

# For each core its allowed PUs, as "rank cpu" or one list.
slots=$(
    seen=' '
    for cpu in $cpus; do
        case $seen in *" $cpu "*) continue ;; esac
        topology=/sys/devices/system/cpu/cpu$cpu/topology
        siblings=$(cat "$topology/core_cpus_list" 2>/dev/null || cat "$topology/thread_siblings_list" 2>/dev/null || echo "$cpu")
        rank=0
        list=
        for sibling in $(expand "$siblings"); do
            case $cpus in *" $sibling "*) ;; *) continue ;; esac
            seen="$seen$sibling "
            list=$list${list:+,}$sibling
            [ "$unit" = core ] || echo "$rank $sibling"
            rank=$((rank + 1))
        done
        [ "$unit" = pu ] || echo "0 $list"
    done | sort -s -n -k1,1 | cut -d' ' -f2
)
if [ "${1:-}" = --count ]; then
    echo "$slots" | wc -l
else
    printf '{"name":"cpuslot","addresses":[%s]}\n' "$(echo "$slots" | sed 's/.*/"&"/' | paste -sd, -)"
fi
