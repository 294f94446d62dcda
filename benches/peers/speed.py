"""The peers' side: makes the data, times the packages people script with, and writes the table.

speed.py data FOLDER        the arrays, as little-endian doubles, and cases.json
speed.py time FOLDER        one JSON line a measurement
speed.py table OURS PEERS   Markdown
"""

import json
import pathlib
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]

# name, coefficient, units, raters, labels, share of missing ratings, what it says in the table
CASES = [
    ("alpha-2e6", "alpha", 1_000_000, 2, 2, 0.2, "nominal α, 2 × 10⁶ values, 2 labels, 20 % missing"),
    ("alpha-5e6", "alpha", 1_000_000, 5, 5, 0.2, "nominal α, 5 × 10⁶ values, 5 labels, 20 % missing"),
    ("kappa-2", "kappa", 1_000_000, 2, 2, 0.0, "κ, 10⁶ units, 2 labels"),
    ("kappa-5", "kappa", 1_000_000, 2, 5, 0.0, "κ, 10⁶ units, 5 labels"),
    ("ac1", "ac1", 100_000, 5, 4, 0.0, "AC1, 10⁵ × 5, 4 labels"),
    ("fleiss", "fleiss", 100_000, 5, 4, 0.0, "Fleiss' κ, 10⁵ × 5, 4 labels"),
    ("bootstrap", "bootstrap", 1499, 2, 2, 0.0, "π, 10,000 resamples of 893 prompts (figure 16)"),
]


def make(folder):
    import numpy as np

    folder.mkdir(parents=True, exist_ok=True)
    for at, (name, kind, units, raters, labels, missing, _) in enumerate(CASES):
        if kind == "bootstrap":
            lines = (ROOT / "tests/fixtures/agreement/figure16.jsonl").read_text().splitlines()
            rows = [json.loads(line) for line in lines]
            prompts = {}
            cluster = [prompts.setdefault(row["prompt_id"], len(prompts)) for row in rows]
            judge = [float(not all(score == 1 for score in row["criterion_scores"])) for row in rows]
            human = [float(row["human_verdict"] != "correct") for row in rows]
            data = np.array([judge, human]).T
            np.array(cluster, dtype="<f8").tofile(folder / f"{name}-prompts.bin")
        else:
            rng = np.random.default_rng(at)
            right = rng.integers(0, labels, units)
            guess = rng.integers(0, labels, (units, raters))
            data = np.where(rng.random((units, raters)) < 0.7, right[:, None], guess).astype(float)
            data[rng.random(data.shape) < missing] = np.nan
        np.ascontiguousarray(data, dtype="<f8").tofile(folder / f"{name}.bin")
    keys = ("name", "kind", "units", "raters", "labels")
    (folder / "cases.json").write_text(json.dumps([dict(zip(keys, case)) for case in CASES]))


def timed(work, runs):
    times, value = [], None
    for _ in range(runs):
        start = time.thread_time()
        value = work()
        times.append(time.thread_time() - start)
    times.sort()
    return {"median": times[runs // 2], "least": times[0]}, float(value)


def numpy_bootstrap(counts, resamples=10_000, chunk=500):
    """Weights of the clusters by one bincount a chunk, and one matrix product: no row is touched."""
    import numpy as np

    rng = np.random.default_rng(1)
    clusters = len(counts)
    values = []
    for _ in range(resamples // chunk):
        drawn = rng.integers(0, clusters, (chunk, clusters), dtype=np.int32)
        drawn += (np.arange(chunk, dtype=np.int32) * clusters)[:, None]
        weights = np.bincount(drawn.ravel(), minlength=chunk * clusters).reshape(chunk, clusters)
        a, b, c, d = (weights.astype(float) @ counts).T
        n = a + b + c + d
        yes = (2 * a + b + c) / (2 * n)
        chance = yes**2 + (1 - yes) ** 2
        values.append(((a + d) / n - chance) / (1 - chance))
    return np.percentile(np.concatenate(values), [2.5, 97.5])[0]


def peers(folder):
    import warnings

    import krippendorff
    import numpy as np
    import pandas as pd
    from irrCAC.raw import CAC
    from sklearn.metrics import cohen_kappa_score
    from statsmodels.stats.inter_rater import aggregate_raters, fleiss_kappa

    warnings.simplefilter("ignore")
    for name, kind, units, raters, labels, _, _ in CASES:
        data = np.fromfile(folder / f"{name}.bin").reshape(-1, raters)
        if kind == "alpha":
            columns = np.ascontiguousarray(data.T)
            work = lambda: krippendorff.alpha(columns, level_of_measurement="nominal")
            runs = [("krippendorff 0.9.0", work, 5)]
        elif kind == "kappa":
            first, second = (np.ascontiguousarray(data[:, at].astype(np.int64)) for at in (0, 1))
            runs = [("scikit-learn 1.9.1", lambda: cohen_kappa_score(first, second), 9)]
        elif kind == "ac1":
            frame = pd.DataFrame(data.astype(int))
            runs = [("irrCAC 0.4.4", lambda: CAC(frame).gwet()["est"]["coefficient_value"], 5)]
        elif kind == "fleiss":
            frame, whole = pd.DataFrame(data.astype(int)), data.astype(int)
            ready = aggregate_raters(whole)[0]
            runs = [
                ("irrCAC 0.4.4", lambda: CAC(frame).fleiss()["est"]["coefficient_value"], 5),
                ("statsmodels 0.15.0", lambda: fleiss_kappa(aggregate_raters(whole)[0]), 5),
                ("statsmodels 0.15.0, from a ready count table", lambda: fleiss_kappa(ready), 9),
            ]
        else:
            cluster = np.fromfile(folder / f"{name}-prompts.bin").astype(int)
            counts = np.zeros((cluster.max() + 1, 4))
            np.add.at(counts, (cluster, (2 * data[:, 0] + data[:, 1]).astype(int)), 1)
            runs = [("numpy 1.26.4, bincount and matrix product", lambda: numpy_bootstrap(counts), 5)]
        for peer, work, times in runs:
            seconds, value = timed(work, times)
            print(json.dumps({"name": name, "peer": peer, "time": seconds, "value": value}), flush=True)


def seconds(value):
    return f"{value * 1e3:.2f} ms" if value < 0.1 else f"{value * 1e3:.0f} ms"


def table(ours, theirs):
    lines = [json.loads(line) for line in pathlib.Path(ours).read_text().splitlines() if line.startswith("{")]
    bandwidth = next(line["bandwidth"] for line in lines if "bandwidth" in line)
    own = {line["name"]: line for line in lines if "name" in line}
    text = pathlib.Path(theirs)
    peer = [json.loads(line) for line in text.read_text().splitlines()] if text.exists() else []
    print(f"One thread reads {bandwidth / 1e9:.1f} GB/s here; *bound* is how long reading the data alone takes.\n")
    print("| | peer | its time | ours, same array | × | ours, app's codes | × | bound: array, codes |")
    print("|---|---|---|---|---|---|---|---|")
    for name, *_, title in CASES:
        line = own.get(name)
        if line is None:
            continue
        array, codes = line["from_array"]["median"], line["from_table"]["median"]
        bound = "–"
        if "array_bytes" in line:
            times = [line[key] / bandwidth for key in ("array_bytes", "table_bytes")]
            bound = f"{seconds(times[0])} ({array / times[0]:.1f} ×), {seconds(times[1])} ({codes / times[1]:.1f} ×)"
        for row in [row for row in peer if row["name"] == name] or [None]:
            if row is None:
                print(f"| {title} | not timed | | {seconds(array)} | | {seconds(codes)} | | {bound} |")
                continue
            far = abs(row["value"] - line["value"])
            assert far < (0.004 if name == "bootstrap" else 2e-5), f"{name}: {row['value']} is not {line['value']}"
            took = row["time"]["median"]
            print(
                f"| {title} | {row['peer']} | {seconds(took)} | {seconds(array)} | {took / array:.0f} "
                f"| {seconds(codes)} | {took / codes:.0f} | {bound} |"
            )


if __name__ == "__main__":
    command, *arguments = sys.argv[1:]
    if command == "table":
        table(*arguments)
    else:
        {"data": make, "time": peers}[command](pathlib.Path(arguments[0]))
