"""The program's entry: streams that can carry any text, then the command line."""

# Nothing more is imported here: what fails or is stopped before `main` runs would end in a traceback.
import sys

_FAULT, _INTERRUPTED = 70, 130


def main() -> int:
    """Runs the command line of this process; returns the exit code. Whatever goes wrong is one line on stderr."""
    try:
        return _run()
    except KeyboardInterrupt:
        return _end("stopped; what was indexed is kept", _INTERRUPTED)
    except Exception as error:
        reason = " ".join(str(error).split()) or "no reason given"
        return _end(f"cannot start: {type(error).__name__}: {reason}: try to install it again", _FAULT)


def _run() -> int:
    from ragspine_tui.cli.interrupts import interrupted_afterwards

    with interrupted_afterwards():
        import io

        from ragspine_tui.cli.app import run

        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, io.TextIOWrapper):
                stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    return run(sys.argv[1:])


def _end(line: str, code: int) -> int:
    try:
        sys.stderr.write(f"ragspine-tui: {ascii(line)[1:-1]}\n")
    except (AttributeError, OSError, ValueError):
        # Nobody listens; the exit code tells it.
        return code
    return code


if __name__ == "__main__":
    sys.exit(main())
