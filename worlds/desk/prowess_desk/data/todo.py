"""What people have to do at first: projects with tasks, their steps and comments."""

from __future__ import annotations

import random
from collections.abc import Sequence
from datetime import date, datetime, timedelta
from typing import Any

from prowess.seeds import derive
from prowess_desk.apps.todo.rows import COLORS, INBOX, Project, Subtask, TaskComment, TodoTask
from prowess_desk.engine.people import Person
from prowess_desk.engine.reading import labels
from prowess_desk.engine.tables import Base

WORK = {
    INBOX: "renew library card,buy stamps,return the drill,book haircut,cancel old subscription,find spare key",
    "House": "fix the tap,clean the gutters,paint the hallway,replace light bulbs,descale the kettle,oil the hinges",
    "Work": "prepare the slides,review the contract,update the roadmap,write the report,plan the offsite,file expenses",
    "Health": "book dentist,refill prescription,schedule eye test,buy running shoes,sign up for yoga,measure sleep",
    "Travel": "book the train,compare hotels,get travel insurance,print tickets,check passport,plan day trips",
    "Garden": "prune the roses,order seeds,build a compost bin,mow the lawn,plant the bulbs,repair the fence",
    "Study": "finish chapter two,practice vocabulary,submit the essay,watch the lecture,join study group,buy textbook",
    "Party": "send invitations,order the cake,make a playlist,rent chairs,choose the menu,borrow a speaker",
}
STEPS = ("look up prices", "ask for advice", "make a call", "collect papers", "set a date", "check the result")
LABELS = ("errand", "phone", "online", "quick", "waiting", "weekend")
REMARKS = ("Asked about this again.", "Waiting for an answer.", "Half done.", "Cheaper next week.", "Do not forget.")


def generate(seed: int, people: Sequence[Person], now: datetime) -> list[Base[Any]]:
    """The todo app's tables at first."""
    rng = random.Random(derive(seed, "todo"))
    projects: list[Project] = []
    tasks: list[TodoTask] = []
    comments: list[TaskComment] = []
    for person in people:
        names = [INBOX, *rng.sample(list(WORK)[1:], rng.randint(3, 6))]
        for name in names:
            projects.append(
                Project(
                    id=len(projects) + 1,
                    owner=person.id,
                    name=name,
                    color="gray" if name == INBOX else rng.choice(COLORS),
                    archived=name == names[-1] and rng.random() < 0.4,
                )
            )
            for title in rng.sample(WORK[name].split(","), rng.randint(2, 6)):
                task = _task(rng, len(tasks) + 1, projects[-1], title, now)
                tasks.append(task)
                for text in rng.sample(REMARKS, rng.choice((0, 0, 0, 1, 2))):
                    at = min(now, task.created_at + timedelta(hours=len(comments) % 50))
                    id = len(comments) + 1
                    comments.append(TaskComment(id=id, owner=person.id, task_id=task.id, text=text, written_at=at))
    return [Base(Project, projects), Base(TodoTask, tasks), Base(TaskComment, comments)]


def _task(rng: random.Random, id: int, project: Project, title: str, now: datetime) -> TodoTask:
    created = now - timedelta(minutes=rng.randint(1440, 120 * 1440))
    done = rng.random() < 0.35
    due = None
    if rng.random() < 0.75:
        due = (created + timedelta(days=rng.randint(1, 60))).date() if done else _coming(rng, now)
    return TodoTask(
        id=id,
        owner=project.owner,
        project_id=project.id,
        title=title,
        description=f"For the {project.name.lower()} list." if rng.random() < 0.5 else "",
        due=due,
        priority=rng.randint(1, 4),
        labels=labels(rng.sample(LABELS, rng.choice((0, 1, 1, 2)))),
        done=done,
        subtasks=tuple(
            Subtask(title=step, done=done or rng.random() < 0.3) for step in rng.sample(STEPS, rng.choice((0, 0, 2, 3)))
        ),
        created_at=created,
        completed_at=min(now, created + timedelta(hours=rng.randint(2, 700))) if done else None,
    )


def _coming(rng: random.Random, now: datetime) -> date:
    """A due date of something open: a third is overdue."""
    return (now + timedelta(days=rng.randint(-15, 30))).date()
