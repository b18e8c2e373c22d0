"""Synopses that the model writes: never over the writer's own."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from quire.domain.drafting.story_so_far import synopsis_digest
from quire.domain.drafting.summaries import pieces, summary_of, summary_query
from quire.domain.manuscript import tree_edits
from quire.domain.manuscript.tree import Node, Tree
from quire.services.drafting.engine_queries import EngineQuestions
from quire.services.drafting.steering_service import MODELS_SYNOPSES, models_synopses
from quire.services.transactions.split_and_merge import Edited
from quire.storage.project_file import ProjectFile
from quire_engine.api.messages import ModelLoaded
from quire_engine.api.queries import WriteText

_MOST_ANSWERS = 3
"""Summaries of more pieces than this are summed up again."""


def chapters_to_sum_up(file: ProjectFile, node_id: int) -> tuple[int, ...]:
    """Return the texts within a row of the tree whose synopses are not the writer's, in reading order."""
    with file.reading() as unit:
        tree, by_model = unit.manuscript.tree(), models_synopses(unit)
        return tuple(
            node.node_id
            for node in tree.reading_order()
            if _is_within(tree, node, node_id)
            and _may_write(node.synopsis, by_model.get(node.node_id))
            and unit.manuscript.document(node.node_id).text.strip()
        )


def chapter_text(file: ProjectFile, node_id: int) -> str:
    """Return the text of a chapter; empty where it was deleted."""
    with file.reading() as unit:
        is_there = any(node.node_id == node_id for node in unit.manuscript.tree().nodes)
        return unit.manuscript.document(node_id).text if is_there else ""


def keep_summary(file: ProjectFile, node_id: int, summary: str) -> Edited | None:
    """Store a model's synopsis; None where the writer has written one meanwhile, or deleted the chapter."""
    with file.unit() as unit:
        tree, by_model = unit.manuscript.tree(), models_synopses(unit)
        node = next((one for one in tree.nodes if one.node_id == node_id), None)
        if node is None or not _may_write(node.synopsis, by_model.get(node_id)):
            return None
        unit.manuscript.save_node(replace(node, synopsis=summary))
        known = {str(one): digest for one, digest in by_model.items()}
        unit.records.save_setting(MODELS_SYNOPSES, {**known, str(node_id): synopsis_digest(summary)})
        unit.commit()
    return Edited(tree_edits.changed(tree, (replace(node, synopsis=summary),)))


async def sum_up(questions: EngineQuestions, text: str) -> str:
    """Return a model's summary of a chapter, piece by piece where it is longer than the context."""
    context = (await questions.ready()).context_length
    parts = list(pieces(text, context))
    answers: list[str] = []
    for part in parts:
        query = summary_query(part, is_whole=len(parts) == 1)
        answers.append(summary_of((await questions.write(partial(_same, query))).text))
    told = " ".join(answer for answer in answers if answer)
    return told if len(parts) <= _MOST_ANSWERS or len(told) >= len(text) else await sum_up(questions, told)


def _same(query: WriteText, _model: ModelLoaded) -> WriteText:
    return query


def _is_within(tree: Tree, node: Node, outer_id: int) -> bool:
    """Return whether a row is another one or below it."""
    while node.node_id != outer_id:
        if node.parent_id is None:
            return False
        node = tree.node(node.parent_id)
    return True


def _may_write(synopsis: str, by_model: str | None) -> bool:
    return not synopsis.strip() or synopsis_digest(synopsis) == by_model
