"""Errors a person may see: one line that says what happened, and a `hint` that says what to do next."""


class RagspineError(Exception):
    """Base of every error this program raises on purpose; `hint` is the next step, in one line."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint

    def __rich__(self) -> str:
        """Textual shows this instead of a traceback with local variables, which could hold document text."""
        return str(self).replace("[", "(").replace("]", ")")

    def __str__(self) -> str:
        message = super().__str__()
        return f"{message}: {self.hint}" if self.hint else message


class UsageError(RagspineError):
    """A wrong option, argument or setting (exit code 2)."""


class LibraryError(RagspineError):
    """A library that is unknown, already there, or cannot be made (exit code 2)."""


class ReadError(RagspineError):
    """A file whose text cannot be had; `status` is its DocumentStatus value."""

    def __init__(self, message: str, hint: str = "", *, status: str = "unreadable") -> None:
        super().__init__(message, hint)
        self.status = status


class FilterError(RagspineError, ValueError):
    """A condition that cannot be understood (exit code 2); names what was expected."""


class QueryError(RagspineError):
    """A search that cannot be run (never because of the query's text)."""


class StorageError(RagspineError):
    """The database cannot be used: damaged, locked too long, or newer than the program (exit code 4)."""


class DamageError(StorageError):
    """What is kept of one library cannot be read; the others can."""


class UnfinishedError(RagspineError):
    """What was asked is done, but something of it is left to a later command (exit code 3)."""
