"""Laws are tried without a time limit: machines are shared, and a slow one is no fault of the law."""

from hypothesis import settings

settings.register_profile("shared", deadline=None)
settings.load_profile("shared")
