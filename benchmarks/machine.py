"""Where something was measured, as every table of figures says it."""

from __future__ import annotations

import os
import platform
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime


@dataclass(frozen=True, slots=True)
class Machine:
    """Where it was measured; `load` is how many programs wanted to run when it began."""

    date: str
    cores: int
    load: float
    system: str
    python: str

    def rows(self) -> list[tuple[str, str]]:
        """The first rows of a table of figures."""
        return [
            ("measured", f"{self.date}, Python {self.python}, {self.system}"),
            ("cores", f"{self.cores}, with a load of {self.load} when it began"),
        ]


def this_machine() -> Machine:
    """The machine as it is now."""
    return Machine(
        date=datetime.now(UTC).date().isoformat(),
        cores=os.cpu_count() or 1,
        load=round(os.getloadavg()[0], 1),
        system=f"{platform.system()} {platform.machine()}",
        python=platform.python_version(),
    )


def revision() -> str:
    """The revision of the sources, with a `+` where they are not as committed; '-' outside a checkout."""
    run = subprocess.run(
        ["git", "describe", "--always", "--dirty=+", "--exclude", "*"], stdout=subprocess.PIPE, text=True, check=False
    )
    return run.stdout.strip() or "-"


def table(head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    """A Markdown table."""
    body = ["| " + " | ".join(line) + " |" for line in (head, *rows)]
    return "\n".join([body[0], "|" + "---|" * len(head), *body[1:]])
