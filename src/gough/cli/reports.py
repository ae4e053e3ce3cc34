"""Options of reports: their title, and parts that are left out."""

from __future__ import annotations

from gough.errors import InputError


def report_parts(without: str | None) -> tuple[str, ...]:
    """Parts that ``--without`` names, with commas between them.

    Raises:
        InputError: a report has no such part.
    """
    if not without:
        return ()
    from gough.report.parts import check_without

    return check_without([word.strip() for word in without.split(",")])


def check_report_options(asked: bool, **given: str | None) -> None:
    """Refuse options of a report where none is written: they would be ignored."""
    for name, value in given.items():
        if value is not None and not asked:
            raise InputError(
                f"--{name} is an option of a report, and none is asked for",
                hint="Name its file: --report report.html; in a scenario say 'report: true'.",
                argument=name,
            )
