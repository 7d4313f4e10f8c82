"""Laws are tried without a time limit: machines are shared, and a slow one is no fault of the law."""

import os

from hypothesis import settings

# Laws are tried often enough to find a slip at once, and a thousand times over by `make fuzz`.
settings.register_profile("shared", deadline=None, max_examples=30)
settings.register_profile("fuzz", deadline=None, max_examples=1_000)
settings.load_profile(os.environ.get("RAGSPINE_HYPOTHESIS", "shared"))
