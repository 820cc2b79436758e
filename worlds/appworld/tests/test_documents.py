"""AppWorld's API documents, as fingerprints."""

from __future__ import annotations

import pytest
from prowess_appworld.world import AppWorldSuite

from prowess.store.fingerprint import fingerprints


@pytest.mark.slow
def test_every_api_that_an_agent_can_call_has_a_fingerprint_of_its_own(suite: AppWorldSuite) -> None:
    found = fingerprints(suite.documents())
    assert len(found) == len(set(found.values())) > 450
    assert "supervisor.complete_task" in found
