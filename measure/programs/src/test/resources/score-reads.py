"""Holds the results of the programs on reads against the record of the simulator.

score-reads.py duplicates SIMULATION OUTPUT [PREFIX MISMATCHES]
score-reads.py correction SIMULATION OUTPUT
score-reads.py simulation SIMULATION ERRORS EXACT NEAR MISMATCHES

SIMULATION is the folder that simulate-reads has written, OUTPUT the folder of the job. Prints one line of words "name=value". Reads
FASTQ and the record alone; with PREFIX and MISMATCHES, also computes the only correct result of the removal by comparing all reads of
each cluster, and ends with exit code 1 when the output is another one.
"""

import glob
import os
import sys
from collections import defaultdict


def fastq(path):
    with open(path, encoding="ascii") as lines:
        for name in lines:
            bases = next(lines).rstrip("\n")
            next(lines)
            yield name[1:].rstrip("\n"), bases, next(lines).rstrip("\n")


def files(folder):
    """One list of (name, reads) of the simulation or the job for each mate."""
    single = os.path.join(folder, "reads.fastq")
    if os.path.exists(single):
        return [[single]]
    both = [os.path.join(folder, "reads_%d.fastq" % mate) for mate in (1, 2)]
    if os.path.exists(both[0]):
        return [[path] for path in both]
    parts = sorted(glob.glob(os.path.join(folder, "part-*")))
    if parts:
        return [parts]
    return [sorted(glob.glob(os.path.join(folder, mate, "part-*"))) for mate in ("1", "2")]


def fragments(folder):
    """Dictionary of the name without the number of the mate to the list of its reads."""
    found = defaultdict(list)
    for mate in files(folder):
        for path in mate:
            for name, bases, qualities in fastq(path):
                found[name.split("/")[0]].append((bases, qualities))
    return found


def truth(folder):
    with open(os.path.join(folder, "_truth.tsv"), encoding="ascii") as lines:
        columns = next(lines).rstrip("\n").split("\t")
        for line in lines:
            yield dict(zip(columns, line.rstrip("\n").split("\t")))


def mismatches(one, other):
    return sum(a != b for a, b in zip(one, other)) + abs(len(one) - len(other))


def quality(reads):
    return sum(ord(letter) - 33 for _, letters in reads for letter in letters) * 256 // sum(len(b) for b, _ in reads)


def expected(reads, prefix, limit):
    """The best read first, in each cluster: it is kept unless a kept one is near."""
    clusters = defaultdict(list)
    for place, (name, fragment) in enumerate(reads.items()):
        key = tuple(bases[:prefix] for bases, _ in fragment)
        clusters[key].append((-quality(fragment), place, name))
    result = set()
    for cluster in clusters.values():
        kept = []
        for _, _, name in sorted(cluster):
            mine = reads[name]
            if all(sum(mismatches(a, b) for (a, _), (b, _) in zip(reads[k], mine)) > limit for k in kept):
                kept.append(name)
        result.update(kept)
    return result


def duplicates(simulation, output, *options):
    reads = fragments(simulation)
    kept = fragments(output)
    changed = [name for name in kept if kept[name] != reads.get(name)]
    if changed:
        sys.exit("the output has reads that the input has not: %s" % changed[:5])
    if options and set(kept) != expected(reads, int(options[0]), int(options[1])):
        sys.exit("the output is not what comparing all reads of each cluster gives")
    # Reads of the same piece of the genome are duplicates, also those that the simulator has drawn there by chance.
    groups = defaultdict(list)
    kinds = {}
    for row in truth(simulation):
        groups[row["sequence"], row["position"], row["bases"], row["strand"]].append(row["name"])
        kinds[row["name"]] = row["kind"]
    wanted = removed = right = lost = 0
    for names in groups.values():
        left = sum(name in kept for name in names)
        wanted += len(names) - 1
        removed += len(names) - left
        right += len(names) - max(left, 1)
        lost += left == 0
    return {
        "fragments": len(reads),
        "kept": len(kept),
        "precision": right / max(1, removed),
        "recall": right / max(1, wanted),
        "lost_origins": lost,
    }


def correction(simulation, output):
    reads = fragments(simulation)
    corrected = fragments(output)
    if list(reads) != list(corrected):
        sys.exit("the output has other reads than the input, or another order")
    errors = fixed = introduced = miscorrected = bases = 0
    for row in truth(simulation):
        truths = [row["truth"]] + ([row["truth of mate"]] if "truth of mate" in row else [])
        for (before, _), (after, _), right in zip(reads[row["name"]], corrected[row["name"]], truths, strict=True):
            bases += len(right)
            for b, a, r in zip(before, after, right, strict=True):
                errors += b != r
                fixed += b != r and a == r
                introduced += b == r and a != r
                miscorrected += b != r and a != r and a != b
    changed = fixed + introduced + miscorrected
    return {
        "bases": bases,
        "errors": errors,
        "changed": changed,
        "precision": fixed / max(1, changed),
        "recall": fixed / max(1, errors),
        "introduced": introduced,
        "miscorrected": miscorrected,
    }


def deviation(found, count, probability):
    """Standard deviations between a number of events and the expected one."""
    return abs(found - count * probability) / max(1, count * probability * (1 - probability)) ** 0.5


def simulation(folder, errors, exact, near, limit):
    reads = fragments(folder)
    rows = {row["name"]: row for row in truth(folder)}
    worst = 0
    for kind, part in (("exact", float(exact)), ("near", float(near))):
        worst = max(worst, deviation(sum(row["kind"] == kind for row in rows.values()), len(rows), part))
    count = defaultdict(int)
    wrong = defaultdict(int)
    for name, row in rows.items():
        bases, qualities = reads[name][0]
        original = reads[row["cluster"]][0][0]
        different = mismatches(bases, original)
        if row["kind"] == "near" and not 1 <= different <= int(limit) or row["kind"] != "near" and different:
            sys.exit("%s is %s and has %d mismatches" % (name, row["kind"], different))
        if row["kind"] == "original":
            for base, right, letter in zip(bases, row["truth"], qualities, strict=True):
                count[ord(letter) - 33] += 1
                wrong[ord(letter) - 33] += base != right
    for quality in count:
        worst = max(worst, deviation(wrong[quality], count[quality], 10 ** (-quality / 10)))
    rate = sum(number * 10 ** (-quality / 10) for quality, number in count.items()) / sum(count.values())
    if abs(rate / float(errors) - 1) > 0.1:
        sys.exit("the qualities stand for errors at a rate of %f" % rate)
    return {"deviation": worst, "rate": rate}


if __name__ == "__main__":
    score = {"duplicates": duplicates, "correction": correction, "simulation": simulation}[sys.argv[1]](*sys.argv[2:])
    print(" ".join("%s=%.6g" % pair for pair in score.items()))
