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
    from transformers.models.llama.configuration_llama import LlamaConfig

    from quire_engine.catalog.weights.file_tensor import ALL, FileTensor, Floats, Rows
    from quire_engine.integer.activations_kernel import bend
    from quire_engine.integer.block_model import assemble
    from quire_engine.integer.family_parts import model_parts
    from quire_engine.integer.integer_ends import IntegerEnds
    from quire_engine.integer.integer_runner import IntegerRunner

    class Ones(FileTensor):
        def floats(self, rows: Rows = ALL) -> Floats:
            return np.ones(self.shape, np.float32)[rows]

    config = LlamaConfig(
        vocab_size=64,
        hidden_size=64,
        intermediate_size=64,
        num_hidden_layers=1,
        num_attention_heads=2,
        num_key_value_heads=1,
        max_position_embeddings=512,
    )
    parts = {"q_proj": 64, "k_proj": 32, "v_proj": 32, "o_proj": 64}
    shapes: dict[str, tuple[int, ...]] = {
        f"self_attn.{name}": (outputs, 64) for name, outputs in parts.items()
    }
    shapes |= {f"mlp.{name}_proj": (64, 64) for name in ("gate", "up", "down")}
    shapes |= {f"{name}_layernorm": (64,) for name in ("input", "post_attention")}
    shapes = {f"model.layers.0.{name}": shape for name, shape in shapes.items()}
    shapes |= {"model.embed_tokens": (64, 64), "model.norm": (64,), "lm_head": (64, 64)}
    tensors = {f"{name}.weight": Ones("F32", shape, 0) for name, shape in shapes.items()}
    model = assemble(model_parts(tensors, config))
    runner = IntegerRunner(model, 4, 512)
    runner.prefill([1, 2, 3])
    runner.decode([4, 5, 6], [-1, 0, 0])
    runner.scores(0, 1)
    runner.commit([0, 2])
    runner.states(runner.raw_states([0]))
    IntegerEnds(model, 4).embed(torch.tensor([1]))
    bend(runner.network.embed(torch.tensor([1])).numpy(), model.angle_scales[0])


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
