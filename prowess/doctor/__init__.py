"""What this machine can do, what is missing, and what to type to get it.

    prowess doctor

It is well when the default job can run: the embedded world, played in a sandbox, on a CPU. Whatever else is missing is
an option.
"""

from __future__ import annotations

from prowess.doctor.examination import examine
from prowess.doctor.finding import Finding, able, show

__all__ = ["Finding", "able", "examine", "show"]
