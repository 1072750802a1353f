"""Witnesses are written and read by the commands."""

from tests.cli.conftest import duet

__all__ = ("duet",)
