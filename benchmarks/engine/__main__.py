"""The command: builds what is not kept yet, measures, prints tables and writes `benchmarks/RESULTS.md`."""

from __future__ import annotations

import os

# Before numpy is loaded: every engine searches with one thread.
for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS"):
    os.environ[_name] = "1"

from benchmarks.engine.command import main  # noqa: E402

if __name__ == "__main__":
    main()
