"""Score `references` against what language servers answered; or record what they answer.

python -m tests.accuracy [NAME ...] [--unseen] [--worst N]     score the archives whose names hold NAME
python -m tests.accuracy record NAME ... [--count N] [--seed S]  ask the servers, twice
"""

from __future__ import annotations

import argparse
import sys

from tests.accuracy import truth
from tests.accuracy.corpora import CORPORA, Corpus, Unavailable, fetch
from tests.accuracy.report import lines, table
from tests.accuracy.scoring import Score, score


def main() -> None:
    arguments = sys.argv[1:]
    recording = arguments[:1] == ["record"]
    parser = argparse.ArgumentParser(prog="python -m tests.accuracy", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)  # fmt: skip
    parser.add_argument("names", nargs="+" if recording else "*", help="parts of the names of archives")
    parser.add_argument("--unseen", action="store_true", help="the archives whose errors nobody looks at as well")
    if recording:
        parser.add_argument("--count", type=int, default=150, help="definitions that are referred to")
        parser.add_argument("--seed", type=int, default=1)
    else:
        parser.add_argument("--worst", type=int, default=0, metavar="N", help="show the N worst definitions of each")
        parser.add_argument("--name", default="", help="show every fault of the definitions with this name")
    options = parser.parse_args(arguments[recording:])
    chosen = [c for c in CORPORA if (c.seen or options.unseen or recording) and _named(c, options.names)]
    if not chosen:
        sys.exit(f"no archive is called that; there are {', '.join(c.label for c in CORPORA)}")
    sys.exit(_record(chosen, options) if recording else _score(chosen, options))


def _named(corpus: Corpus, names: list[str]) -> bool:
    return not names or any(name in corpus.label for name in names)


def _record(chosen: list[Corpus], options: argparse.Namespace) -> int:
    from tests.accuracy.record import record
    from tests.accuracy.servers import SERVERS, missing

    for corpus in chosen:
        if why := missing(SERVERS[corpus.language]):
            sys.exit(why)
        try:
            print(record(corpus, options.count, options.seed))
        except Unavailable as error:
            sys.exit(str(error))
    return 0


def _score(chosen: list[Corpus], options: argparse.Namespace) -> int:
    scores: list[tuple[Corpus, Score]] = []
    failed = 0
    for corpus in chosen:
        try:
            found = score(fetch(corpus), truth.load(corpus.label))
        except FileNotFoundError:
            print(f"{corpus.label}: no truth; make it with `python -m tests.accuracy record {corpus.label}`")
            continue
        except Unavailable as error:
            failed += 1
            print(error)
            continue
        scores.append((corpus, found))
        worst = options.worst if corpus.seen else 0
        print("\n".join(lines(found, worst, options.name if corpus.seen else "")), flush=True)
    print("\n".join(table(scores)))
    return 1 if failed else 0


main()
