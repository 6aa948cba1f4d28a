# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs inside a Blender with a window: drags five fingertip targets with the mouse and times what is really drawn.

blender --factory-startup --enable-event-simulate --python follow_drag.py -- RESULT.json ROUNDS VERTICES
"""

from __future__ import annotations

import json
import math
import os
import sys
import time
import traceback
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import Any

import bpy
import gpu

sys.dont_write_bytecode = True  # several Blenders may share one checkout
sys.path[:0] = [str(Path(__file__).resolve().parents[2]), str(Path(__file__).resolve().parents[1])]

import addon  # noqa: E402 (needs the path above)
from addon.operators.follow_tips import FOLLOWER, follow_update  # noqa: E402
from addon.rig.channels import get_channels, set_channels  # noqa: E402
from benchmarks.follow_scene import FollowScene, add_rigify_human, measure, prepare, start_empty  # noqa: E402

CONTEXT: Any = bpy.context  # noqa: TID251 (a script has no other way to the scene)

_MOVES = 60
"""Mouse moves of one round, on a circle."""
_RADIUS_PX = 30
_WAITS = 1000
"""Turns of Blender's main loop in which a mouse move must have been drawn."""
_WAYS = ("still", "alone", "follow")
"""The hand stays; it is turned from memory; it follows."""


class Clock:
    """What happens between two mouse moves: Prehend's time, evaluations, drawings, and how the drawn hand stands."""

    def __init__(self, made: FollowScene) -> None:
        self.made = made
        self.reset()

    def reset(self) -> None:
        """Start with the next mouse move."""
        self.drawn = self.evaluated = 0
        self.own = self.solving = 0.0
        self.turns: list[tuple[float, ...]] = []
        self._began = 0.0

    def install(self) -> None:
        """Set the marks: before and after Prehend's handler, and after the view is drawn."""
        handlers: Any = bpy.app.handlers.depsgraph_update_post
        handlers.insert(handlers.index(follow_update), self._before)
        handlers.insert(handlers.index(follow_update) + 1, self._after)
        bpy.types.SpaceView3D.draw_handler_add(self._draw, (), "WINDOW", "POST_PIXEL")

    def _before(self, *_: Any) -> None:
        self.evaluated += 1
        self._began = time.perf_counter()

    def _after(self, *_: Any) -> None:
        self.own += time.perf_counter() - self._began

    def _draw(self) -> None:
        self.drawn += 1
        self.turns = _turns(self.made)


class Drag:
    """The targets hang on the mouse; every turn of the main loop that finds the last move drawn makes the next."""

    def __init__(self, made: FollowScene, rounds: int) -> None:
        self.made, self.rounds = made, rounds
        self.clock = Clock(made)
        self.times: dict[str, list[tuple[float, ...]]] = {}
        """By way: wall time, processor time, Prehend's and the solvers' in [s], and drawings, of every mouse move."""
        self.kept: dict[int, Any] = {}
        self.shown: list[list[tuple[float, ...]]] = [[]] * _MOVES
        self.late = 0
        """Moves at whose drawing the hand stood more as for the place of the mouse before than as for this one."""
        self.place = 0
        self.replaying = False
        self._at = (0, 0)

    def play(self) -> Iterator[float]:
        """All of it, with a wait in [s] at every yield."""
        yield from self._open()
        self.clock.install()
        bpy.app.handlers.depsgraph_update_post.append(self._replay)
        self._send("G", "PRESS")
        yield 0.5
        yield from self._round("keep", follow=True)
        for _ in range(self.rounds):
            yield from self._round("still", follow=False)
            yield from self._round("alone", follow=False, replay=True)
            yield from self._round("follow", follow=True)

    def _open(self) -> Iterator[float]:
        """Half-bent fingers in the middle of the view, Prehend's tab beside it, and the mouse on the fingers."""
        scene, area = CONTEXT.scene, self.area
        for name, point in zip(self.made.targets, self.made.paths[len(self.made.paths) // 4].tolist(), strict=True):
            bpy.data.objects[name].location = point
        area.spaces[0].show_region_ui = True
        yield 0.5
        sidebar = next(each for each in area.regions if each.type == "UI")
        sidebar.active_panel_category = "Prehend"
        for obj in scene.objects:
            obj.select_set(obj.name in self.made.targets)
        CONTEXT.view_layer.objects.active = bpy.data.objects[self.made.targets[0]]
        scene.prehend.follow_tips = True
        yield 0.2
        with CONTEXT.temp_override(window=self.window, area=area, region=self.region):
            bpy.ops.view3d.view_axis(type="FRONT")
            bpy.ops.view3d.view_selected()
        area.spaces[0].region_3d.view_distance *= 1.5
        self._mouse(0)
        yield 0.5

    def _round(self, way: str, *, follow: bool, replay: bool = False) -> Iterator[float]:
        """Once round the circle and one move more; timed from the third on, as the first switch over."""
        CONTEXT.scene.prehend.follow_tips, self.replaying = follow, replay
        FOLLOWER.reset()
        rig, shown = bpy.data.objects[self.made.rig], CONTEXT.window_manager.prehend
        wall = processor = 0.0
        for number in range(_MOVES + 2):
            self.place = number % _MOVES
            self.clock.reset()
            self._mouse(self.place)
            for _ in range(_WAITS):
                yield 0.0
                if self.clock.evaluated and self.clock.drawn:
                    break
            else:
                raise RuntimeError(f"Mouse move {number} was not drawn.")
            now, used = time.perf_counter(), time.process_time()
            if number > 1:
                solving = 1e-3 * shown.follow_solve_ms if follow else 0.0
                row = now - wall, used - processor, self.clock.own, solving, float(self.clock.drawn)
                self.times.setdefault(way, []).append(row)
            if way == "keep":
                self.kept[self.place] = [get_channels(rig.pose.bones[name]) for name in self.made.fingers]
                self.shown[self.place] = _turns(self.made)
            elif way != "still" and number > 1:
                now_off, before_off = (_farthest(self.clock.turns, self.shown[self.place - k]) for k in (0, 1))
                self.late += now_off > before_off
            wall, processor = now, used

    def _replay(self, *_: Any) -> None:
        """What Prehend does, from memory."""
        if not self.replaying or self.clock.evaluated > 1:
            return
        bones = bpy.data.objects[self.made.rig].pose.bones
        for name, values in zip(self.made.fingers, self.kept[self.place], strict=True):
            set_channels(bones[name], values)

    @property
    def window(self) -> Any:
        """Looked up anew, as another file may bring another one."""
        return bpy.data.window_managers[0].windows[0]

    @property
    def area(self) -> Any:
        """The 3D view."""
        return next(each for each in self.window.screen.areas if each.type == "VIEW_3D")

    @property
    def region(self) -> Any:
        """Its part that shows the scene."""
        return next(each for each in self.area.regions if each.type == "WINDOW")

    def _send(self, kind: str, value: str) -> None:
        self.window.event_simulate(kind, value, x=self._at[0], y=self._at[1])

    def _mouse(self, place: int) -> None:
        region, angle = self.region, 2.0 * math.pi * place / _MOVES
        across, up = round(_RADIUS_PX * math.cos(angle)), round(_RADIUS_PX * math.sin(angle))
        # Left of the middle: the sidebar lies over the right part.
        self._at = region.x + region.width // 3 + across, region.y + region.height // 2 + up
        self._send("MOUSEMOVE", "NOTHING")

    def result(self) -> dict[str, Any]:
        """Medians by way, and what was drawn, for the table."""
        columns = ("seconds", "processor_seconds", "own_seconds", "solve_seconds", "drawings")
        return {
            "ways": {
                way: dict(zip(columns, (median(column) for column in zip(*self.times[way], strict=True)), strict=True))
                for way in _WAYS
            },
            "late": self.late,
            "bones": self.made.bones,
            "window": [self.window.width, self.window.height],
            "view": [self.region.width, self.region.height],
            "shading": self.area.spaces[0].shading.type,
            "blender": bpy.app.version_string,
            "renderer": gpu.platform.renderer_get(),
        }


def _turns(made: FollowScene) -> list[tuple[float, ...]]:
    """How the fingers' bones stand."""
    bones: Any = bpy.data.objects[made.rig].pose.bones
    return [tuple(bones[name].matrix.to_quaternion()) for name in made.fingers]


def _farthest(first: list[tuple[float, ...]], second: list[tuple[float, ...]]) -> float:
    """Largest difference between quaternions, whatever their signs."""
    dots = (abs(sum(a * b for a, b in zip(p, q, strict=True))) for p, q in zip(first, second, strict=True))
    return max(math.sqrt(max(2.0 - 2.0 * dot, 0.0)) for dot in dots)


def _steps(result: Path, rounds: int, vertices: int) -> Iterator[float]:
    addon.register()
    with CONTEXT.temp_override(window=bpy.data.window_managers[0].windows[0]):
        start_empty()
    yield 0.5
    with CONTEXT.temp_override(window=bpy.data.window_managers[0].windows[0]):
        made = prepare(add_rigify_human(vertices))
        undrawn = measure(made, rounds)
    drag = Drag(made, rounds)
    yield from drag.play()
    facts = {**drag.result(), "evaluate_seconds": [each.seconds - each.own_seconds for each in undrawn]}
    result.write_text(json.dumps(facts), encoding="utf-8")


def main() -> None:
    """Start the steps on a timer; Blender ends with the last."""
    result, rounds, vertices = sys.argv[sys.argv.index("--") + 1 :]
    CONTEXT.preferences.view.show_splash = False
    CONTEXT.preferences.view.smooth_view = 0
    steps = _steps(Path(result), int(rounds), int(vertices))

    def turn() -> float:
        code = 0
        try:
            return next(steps)
        except StopIteration:
            pass
        except Exception:
            traceback.print_exc()
            code = 1
        sys.stdout.flush()
        os._exit(code)  # Past Blender's question about unsaved files.

    bpy.app.timers.register(turn, persistent=True)


main()
