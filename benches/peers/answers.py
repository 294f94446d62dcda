"""Where packages disagree: asks each for the published examples and the examples of issue threads, beside our answers.

answers.py cases FILE          the examples, for `cargo run -p agreement --example answers`
answers.py table OURS          docs/agreement.md on stdout

Answers of R packages are those recorded in tests/fixtures/agreement (R 4.2.2); Python packages are asked now. A
disagreement without a reason stops the script: the table explains all of them or is not written.
"""

import fractions
import json
import pathlib
import sys
import warnings

ROOT = pathlib.Path(__file__).resolve().parents[2]
FIXTURES = ROOT / "tests/fixtures/agreement"

UNDEFINED = (
    "0/0: one label only, so that there is nothing to correct for chance. 1 claims perfect agreement beyond chance and 0 "
    "none; neither was observed"
)
IRR = (
    "divides by the ratings of a unit less 1 only when the matrix holds a missing value; on complete data of three raters "
    "or more the small-sample factor is off"
)
WHY = {
    ("nltk", None): UNDEFINED,
    ("nltk with missing ratings left out", None): UNDEFINED,
    ("scikit-learn without labels=", "value"): (
        "sees only the labels that occur, and spaces 1, 2, 4 as 1, 2, 3; the declared scale is 1, 2, 3, 4"
    ),
    ("statsmodels aggregate_raters", "value"): "a missing rating becomes a category of its own, silently",
    ("statsmodels aggregate_raters", "error"): "takes the same number of ratings for every unit only",
    ("nltk with missing ratings left out", "value"): (
        "averages over all pairs of ratings of all units alike instead of weighting each unit by its ratings"
    ),
    ("nltk (mean of pairwise κ)", None): "the κ of a pair with one shared constant label is 0/0; it is taken as 1",
    ("nltk (mean of pairwise κ)", "value"): "the κ of a pair with one shared constant label is 0/0; it is taken as 1",
    ("irrCAC (Python)", "error"): "fails on this table; the definition gives a value",
}


def load():
    cases = {}
    for case in json.loads((FIXTURES / "cases.json").read_text())["cases"]:
        if case["kind"] == "published":
            case["title"] = case["description"]
            cases[case["id"]] = case
    for test in json.loads((FIXTURES / "issues.json").read_text())["tests"]:
        if isinstance(test.get("data"), list) and test.get("scale"):
            test["title"] = f"{test['thread']}: {test['title']}" if test.get("thread") else test["title"]
            test["expected"] = test["right"]
            cases[test["id"]] = test
    return cases


def peers(case):
    """(coefficient, package, answer): a number, NaN or an exception's name."""
    import krippendorff
    import numpy as np
    import pandas as pd
    from irrCAC.raw import CAC
    from nltk.metrics.agreement import AnnotationTask
    from sklearn.metrics import cohen_kappa_score
    from statsmodels.stats.inter_rater import aggregate_raters, fleiss_kappa

    data, categories = case["data"], case["categories"]
    code = {label: at for at, label in enumerate(categories)}
    missing = any(cell is None for row in data for cell in row)
    raters = len(data[0])
    numeric = all(isinstance(label, (int, float)) for label in categories)

    def ask(work):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                return float(work())
        except Exception as error:  # a package may fail in any way: that is its answer
            return type(error).__name__

    levels = ["nominal"] + (["ordinal"] if case["scale"] != "nominal" else [])
    levels += ["interval", "ratio"] if numeric and case["scale"] != "nominal" and min(categories) > 0 else []
    for level in levels:
        value = code if level in ("nominal", "ordinal") else {label: label for label in categories}
        matrix = np.array([[np.nan if c is None else value[c] for c in row] for row in data], dtype=float).T
        domain = sorted(value.values())
        yield f"krippendorff_alpha_{level}", "krippendorff", ask(
            lambda: krippendorff.alpha(matrix, level_of_measurement=level, value_domain=domain)
        )
    triples = [
        (str(rater), str(unit), str(cell))
        for unit, row in enumerate(data)
        for rater, cell in enumerate(row)
        if cell is not None
    ]
    task = AnnotationTask(triples)
    name = "nltk with missing ratings left out" if missing else "nltk"
    yield "krippendorff_alpha_nominal", name, ask(task.alpha)
    if not missing and raters >= 2:
        yield ("scott_pi" if raters == 2 else "fleiss_kappa"), "nltk", ask(task.pi)
        if raters == 2:
            yield "cohen_kappa", "nltk", ask(task.kappa)
        else:
            yield "light_kappa", "nltk (mean of pairwise κ)", ask(task.kappa)
            yield "conger_kappa", "nltk", ask(task.multi_kappa)
    if raters == 2:
        pairs = [[code[a], code[b]] for a, b in data if a is not None and b is not None]
        if pairs:
            first, second = zip(*pairs)
            labels = list(range(len(categories)))
            yield "cohen_kappa", "scikit-learn", ask(lambda: cohen_kappa_score(first, second, labels=labels))
            if case["scale"] != "nominal":
                for weights in ("linear", "quadratic"):
                    yield f"cohen_kappa_{weights}", "scikit-learn without labels=", ask(
                        lambda: cohen_kappa_score(first, second, weights=weights)
                    )
    if raters > 2:
        codes = np.array([[-1 if c is None else code[c] for c in row] for row in data])
        whole = codes if not missing else np.where(codes < 0, np.nan, codes.astype(float))
        yield "fleiss_kappa", "statsmodels aggregate_raters", ask(lambda: fleiss_kappa(aggregate_raters(whole)[0]))
    if raters >= 2 and len(categories) > 1:
        frame = pd.DataFrame([[None if c is None else str(code[c]).zfill(3) for c in row] for row in data])
        names = [str(at).zfill(3) for at in range(len(categories))]
        cac = lambda: CAC(frame, weights="identity", categories=names)
        for metric, method in (("fleiss_kappa", "fleiss"), ("gwet_ac1", "gwet"), ("conger_kappa", "conger")):
            yield metric, "irrCAC (Python)", ask(lambda: getattr(cac(), method)()["est"]["coefficient_value"])


def shown(answer):
    if isinstance(answer, str):
        return f"raises {answer}"
    if answer is None or answer != answer:
        return "undefined" if answer is None else "NaN"
    return f"{answer:.6f}".rstrip("0").rstrip(".")


def recorded(case):
    for row in case.get("disagreements", []):
        if row["package"].startswith("R ") and not row["metric"].endswith(".se"):
            why = IRR if "irr 0.84.1 kripp" in row["package"] else row["why"]
            answer = float("nan") if row["gives"] == "NaN" else row["gives"]
            yield row["metric"], row["package"] + " †", answer, why


def table(ours):
    ours = json.loads(pathlib.Path(ours).read_text())
    cases, rows, asked, unexplained = load(), [], 0, []
    for id, case in cases.items():
        for metric, package, answer in peers(case):
            own = ours[id].get(metric)
            if own is None:
                continue
            asked += 1
            value = own["value"]
            number = isinstance(answer, float) and answer == answer
            if value is None:
                same = not number
            else:
                same = number and abs(answer - value) < 6e-6
            if same:
                continue
            key = None if value is None else ("value" if number else "error")
            why = WHY.get((package, key))
            if why is None:
                unexplained.append(f"{id} {metric} {package}: {answer}, ours {own}")
            rows.append((case, metric, package, answer, own, why))
        for metric, package, answer, why in recorded(case):
            if metric in ours[id]:
                rows.append((case, metric, package, answer, ours[id][metric], why))
    if unexplained:
        sys.exit("disagreements without a reason:\n" + "\n".join(unexplained))
    print(TEXT.format(cases=len(cases), asked=asked, rows=len(rows)))
    print("| example | coefficient | package | it answers | Assize | exact | right | why |")
    print("|---|---|---|---|---|---|---|---|")
    for case, metric, package, answer, own, why in rows:
        want = case["expected"].get(metric, {})
        exact = want.get("exact") or ("undefined" if want.get("status") == "undefined" else "")
        if want.get("value") is not None:
            assert abs(want["value"] - own["value"]) < 1e-9, (case["id"], metric)
            if exact and abs(float(fractions.Fraction(exact)) - own["value"]) > 1e-12:
                exact = ""
        title = case["title"].replace("|", "\\|")
        print(
            f"| {title} | {metric.replace('_', ' ')} | {package} | {shown(answer)} | {shown(own['value'])} "
            f"| {exact} | {'neither is wrong' if why == UNDEFINED else 'Assize'} | {why} |"
        )


TEXT = """# Where packages disagree

Made by `benches/peers/run answers`; do not edit. {cases} examples, the published ones and those of public issue threads
(`tests/fixtures/agreement`), {asked} answers of Python packages asked for; {rows} rows differ. Everything else agrees with
Assize to 6 decimals, which is as far as irrCAC prints.

Python: krippendorff 0.9.0, scikit-learn 1.9.1, nltk 3.10.4, statsmodels 0.15.0, irrCAC 0.4.4. † R 4.2.2, recorded with the
fixtures, not asked now. *exact* is the value in exact fractions where the fixtures have one and it is short; every value that they have was compared to 1e-9
as the table was made. Where Assize says *undefined* it gives the reason
and no number; NaN and a raised error count as the same answer.

Two conventions are choices rather than faults: chance for units with unequal numbers of ratings follows Gwet (shares averaged over
units), and weights follow the declared scale, also where a category never occurs.
"""


if __name__ == "__main__":
    command, file = sys.argv[1:]
    if command == "cases":
        keys = ("scale", "categories", "data")
        cases = {id: {key: case[key] for key in keys} for id, case in load().items()}
        pathlib.Path(file).write_text(json.dumps(cases))
    else:
        table(file)
