"""A process that writes the disk cache is killed at some moment; the next one reads only what is
right."""

import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from tier_parts import open_disk

SUPPORT = Path(__file__).parents[1] / "support"
BLOCK_BYTES, NUM_BLOCKS = 200_000, 24

# Writes blocks whose contents tell their keys, for ever; the least valuable give way.
WRITER = f"""
import sys
sys.path.insert(0, {str(SUPPORT)!r})
from pathlib import Path
import numpy as np
from tier_parts import open_disk
from assay.kv_cache.tiers.host import StoredBlock
tier = open_disk(Path(sys.argv[1]), {NUM_BLOCKS}, {BLOCK_BYTES})
number = 0
while True:
    number += 1
    key = number.to_bytes(16, "little")
    content = np.frombuffer(key * {BLOCK_BYTES // 16}, dtype=np.uint8)
    tier.write(StoredBlock(key, content, 1 + number % 7))
    print(number, flush=True)
"""


@pytest.mark.parametrize("num_written", [1, 23, 60, 61])
def test_a_writer_killed_at_any_moment_leaves_nothing_wrong(tmp_path, num_written):
    command = [sys.executable, "-c", WRITER, str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as writer:
        for _ in range(num_written):
            assert writer.stdout.readline(), "the writer ended by itself"
        writer.kill()
        writer.wait()
        assert writer.returncode == -signal.SIGKILL
    tier = open_disk(tmp_path, NUM_BLOCKS, BLOCK_BYTES)
    keys = list(tier._slots)
    assert len(keys) >= min(num_written, NUM_BLOCKS) - 1
    for key in keys:
        found = tier.read(key)
        assert found is not None
        assert np.array_equal(found.content, np.frombuffer(key * (BLOCK_BYTES // 16), np.uint8))
    assert tier.num_damaged == 0
    tier.check_integrity()
    tier.close()
