"""Compile all kernels for this processor: `python -m quire_engine.integer`.

It prints the share that is done, line by line. Several processes may be told to: one compiles, and the others
wait for it. `--without-gpu`: only where models are computed on the processor.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from quire_engine.integer.compile_progress import compiling
from quire_engine.integer.kernel_cache import all_compiled, compiling_alone, note_all_compiled


def main(arguments: Sequence[str] | None = None) -> int:
    """Compile what is not compiled yet; exit status 0."""
    given = sys.argv[1:] if arguments is None else arguments
    if all_compiled() or ("--without-gpu" in given and _has_gpu()):
        return 0
    with compiling_alone():
        if not all_compiled():
            with compiling(_say):
                use_all_kernels()
            note_all_compiled()
    return 0


def _has_gpu() -> bool:
    import torch  # slow to import

    return torch.cuda.is_available()


def _say(share: float) -> None:
    sys.stdout.write(f"{share:.3f}\n")
    sys.stdout.flush()


def use_all_kernels() -> None:
    """Call every kernel as a load and a draft do, so that it is compiled for their types."""
    import torch  # imported here, as all in this file: where everything is compiled, nothing needs it

    torch.set_num_threads(1)
    torch.manual_seed(0)
    _use_kernels_of_models()
    _use_kernels_of_drafters()


def _use_kernels_of_models() -> None:
    import numpy as np
    import torch
    from transformers import LlamaConfig, LlamaForCausalLM

    from quire_engine.integer.activations_kernel import bend
    from quire_engine.integer.family_layers import Affine, Norm
    from quire_engine.integer.integer_ends import IntegerEnds
    from quire_engine.integer.integer_runner import IntegerRunner
    from quire_engine.integer.integer_weights import integer_weights
    from quire_engine.integer.product_packing import Folding, folded_columns

    config = LlamaConfig(
        vocab_size=64,
        hidden_size=64,
        intermediate_size=64,
        num_hidden_layers=1,
        num_attention_heads=2,
        num_key_value_heads=1,
        max_position_embeddings=512,
    )
    weights = integer_weights(LlamaForCausalLM(config))
    runner = IntegerRunner(weights, 4, 512)
    runner.prefill([1, 2, 3])
    runner.decode([4, 5, 6], [-1, 0, 0])
    runner.scores(0, 1)
    runner.commit([0, 2])
    runner.states(runner.raw_states([0]))
    IntegerEnds(weights, 4).embed(torch.tensor([1]))
    Affine(torch.zeros(2, 2)).behind(Norm(torch.ones(2), torch.ones(2)))
    folded_columns(torch.ones(2, 2), Folding(np.ones(2, np.float32), None))
    bend(np.zeros((1, 2), np.float32), np.float32(1.0))


def _use_kernels_of_drafters() -> None:
    import numpy as np
    import torch

    from quire_engine.integer.draft_kernel import best_tokens
    from quire_engine.integer.feature_layer import IntegerFeatureLayer, LayerSizes

    sizes = LayerSizes(2, 1, 8, 4, 32, 1e-5)
    inputs = {"query": 16, "key": 8, "value": 8, "gate": 8, "up": 8}
    weights = {name: torch.ones(outputs, 16) for name, outputs in inputs.items()}
    weights |= {
        "out": torch.ones(8, 16),
        "down": torch.ones(8, 8),
        "mix": torch.ones(8),
        "norm": torch.ones(8),
    }
    IntegerFeatureLayer(sizes, weights, None, torch.ones(32, 4), torch.ones(32, 4))
    ids, key = np.arange(2), np.uint64(1)
    best_tokens(np.zeros(2, np.float32), ids, ids, ids, 1.1, 1.0, -2.0, key, True, 1.0, ids, np.ones(2))


if __name__ == "__main__":
    raise SystemExit(main())
