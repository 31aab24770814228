"""A peer's worker without an engine: answers with the prompt's ids, later ones later."""

import sys
import time

from benchmarks.peers.worker import serve


def load():
    if "--broken" in sys.argv:
        raise RuntimeError("no engine here")
    print("noise on standard output")

    def generate(batch):
        for index in reversed(range(len(batch))):
            if batch[index]["prompt_ids"] == [13]:
                raise ValueError("an unlucky prompt")
            if batch[index]["prompt_ids"] == [99]:
                time.sleep(60)
            yield {
                "index": index,
                "text": str(batch[index]["prompt_ids"]),
                "num_tokens": batch[index]["max_tokens"],
                "finish_reason": "stop",
                "latency_s": 0.5,
            }

    return {"engine": "echo"}, generate


if __name__ == "__main__":
    serve(load)
