"""One target under atheris: `python -m tests.fuzz.engine TARGET FOLDER SECONDS SEED`, as `tests.fuzz` starts it.

The folder is for the corpus, which begins with the target's own real bytes. Half of the changes are libFuzzer's, half
are those of mutate.py, which keep a message a message.
"""

from __future__ import annotations

import importlib
import random
import sys
import tracemalloc
from pathlib import Path
from typing import Any


def main() -> None:
    """Does not return: libFuzzer ends the process."""
    name, folder, seconds, seed = sys.argv[1:5]
    atheris: Any = importlib.import_module("atheris")
    with atheris.instrument_imports(include=["protocol", "p2p", "engines"], enable_loader_override=False):
        targets = importlib.import_module("tests.fuzz.targets")
    guided = importlib.import_module("tests.fuzz.guided")
    mutate = importlib.import_module("tests.fuzz.mutate")
    target = targets.TARGETS[name]
    seeds = target.seeds()
    for number, data in enumerate(seeds):
        (Path(folder) / f"{number:04}").write_bytes(data)

    def change(data: bytes, most: int, number: int) -> bytes:
        rng = random.Random(number)
        if rng.random() < 0.5:
            return bytes(atheris.Mutate(data, most))
        return bytes(mutate.mutated(rng, data, seeds, most))

    def one(data: bytes) -> None:
        guided.bounded(target, data)

    tracemalloc.start()
    with targets.remembering():
        # The limits on memory are tracemalloc's; libFuzzer's own would count the instrumented program, too.
        options = [
            f"-max_total_time={seconds}",
            f"-seed={seed}",
            f"-max_len={target.most}",
            "-rss_limit_mb=0",
            "-timeout=60",
        ]
        options += [f"-artifact_prefix={folder}/", "-print_final_stats=0", "-verbosity=1"]
        atheris.Setup([sys.argv[0], *options, folder], one, custom_mutator=change)
        atheris.Fuzz()


if __name__ == "__main__":
    main()
