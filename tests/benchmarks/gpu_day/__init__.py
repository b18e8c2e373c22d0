"""A day with a GPU: all that only a graphics card can show, in one command that goes on where it stopped.

    python -m tests.benchmarks.gpu_day run --work DIR --out DIR --minutes 9.5

runs the slices of the day in the order of their worth: the tests that need a GPU, the law, speed, training,
the window. Each keeps within ten minutes; what is done is not done again; a training goes on from its
checkpoint; what lacks something waits. After every slice OUT holds `results.json` and `table.md`, with the
goals beside the figures. `list` shows the slices and what became of them, `--only NAME...` and `--again
NAME...` choose, `--known FILE` takes over the results of another machine. `--dry-run` runs every slice at a
tiny size on the processor, with stand-ins for a card's graphs.

**Where nothing can be downloaded**, what is missing is carried there. Here, once:

    python -m tests.benchmarks.gpu_day pack window --window --to carried --part-size 28
    python -m tests.benchmarks.gpu_day pack model --thing SMOLLM2.gguf --to carried --part-size 28
    python -m tests.benchmarks.gpu_day pack corpus --thing CORPUS --to carried --part-size 28

`window` holds Qt and the other packages that a machine for training lacks, with the shared libraries of
this system that Qt wants: about 32 MB. SmolLM2 takes 93 MB, the corpus 51. There, `collect` takes in
whatever parts a folder holds, in any order and over as many calls as it takes, checks them, and unpacks
what is whole; `run` does the same first with `--from`.

**Three calls of ten minutes**, on a machine whose folder KEPT stays from call to call. The parts travel
with them, as many at a time as may; where that is too slow, calls of `collect` alone, in seconds, bring the
rest:

    export D="--work KEPT --out OUT --from carried"
    python -m tests.benchmarks.gpu_day collect --store KEPT --from carried
    python -m tests.benchmarks.gpu_day run $D --minutes 9.5 --only 1 2 3  # carry `window`
    python -m tests.benchmarks.gpu_day run $D --minutes 9.5 --only 2 5 3  # carry `model`
    python -m tests.benchmarks.gpu_day run $D --minutes 8.5 --only 4  # carry `corpus`
    python -m tests.benchmarks.gpu_day pack trained --thing KEPT/trained --to OUT --part-size 15

The last line belongs to the third call: it leaves what was trained beside the results, in parts. `collect
--from OUT --store .` joins them here, where README files and figures beside the adapter and the models are
brought up to date before they are committed. Where the machine is another one each time, `--known
results.json` keeps what is done from being done again; a training begins anew there.
"""
