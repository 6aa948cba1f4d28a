# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Contact sheets: every grasp of a benchmark as a small picture, one sheet for each hand, in the order of the table."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from launcher.output import quiet

COLUMNS = 8
SIZE = (280, 224)
SAMPLES = 6


class Sheets:
    """The pictures so far, by hand."""

    def __init__(self, folder: Path) -> None:
        """Keep the folder that they are written to."""
        self.folder = folder
        self._cells: dict[str, list[Any]] = {}

    def add(self, hand: str, search: Any, armature: Any, prop: Any, *, scene: Any, layer: Any) -> None:
        """Take a picture of the grasp that is shown, from where most of it is seen."""
        import bpy
        import numpy as np
        from capsule_mesh import Capsules
        from grasp_view import ELEVATION_DEG, choose_azimuth

        from addon.rig.read import read_pose
        from addon.rig.skin import skin_objects
        from addon.services.picture import View, add_studio, render_picture

        pose = read_pose(armature, search.model)
        hand_shown = [each for each in skin_objects(armature, layer.objects) if each != prop]
        if search.model.skin is None:
            rods = Capsules(scene)
            rods.follow(search.model, pose.angles, pose.T_world_hand)
            hand_shown = [rods.object]
            layer.update()
        # Of a whole character the prop, with the hand round it, is all that is wanted.
        whole = max(float(max(each.dimensions[:])) for each in hand_shown) > 1.0
        shown = [prop] if whole else [*hand_shown, prop]
        azimuth = choose_azimuth(scene, search.model, pose.T_world_hand, prop, hand_shown)
        view = View(azimuth_deg=azimuth, elevation_deg=ELEVATION_DEG, margin=2.2 if whole else 1.1)
        with tempfile.TemporaryDirectory() as folder, quiet():
            path = Path(folder) / "cell.png"
            add_studio(scene, layer.depsgraph, shown, view, size=SIZE)
            render_picture(scene, path, samples=SAMPLES)
            image: Any = bpy.data.images.load(str(path))
            pixels = np.array(image.pixels[:], dtype=np.float32).reshape(SIZE[1], SIZE[0], 4)
        self._cells.setdefault(hand, []).append(pixels)

    def write(self) -> list[str]:
        """Write the sheets; gives a line about each."""
        import bpy
        import numpy as np

        self.folder.mkdir(parents=True, exist_ok=True)
        lines: list[str] = []
        for hand, cells in self._cells.items():
            blank = np.ones_like(cells[0])
            filled = [*cells, *([blank] * (-len(cells) % COLUMNS))]
            rows = [np.concatenate(filled[k : k + COLUMNS], axis=1) for k in range(0, len(filled), COLUMNS)]
            # Blender's pictures begin at the bottom.
            sheet = np.concatenate(rows[::-1], axis=0)
            path = self.folder / f"grasps_{hand.lower().replace(' ', '_')}.png"
            image: Any = bpy.data.images.new("sheet", sheet.shape[1], sheet.shape[0])
            image.pixels.foreach_set(sheet.ravel())
            image.filepath_raw, image.file_format = str(path), "PNG"
            image.save()
            lines.append(f"{path}: {len(cells)} grasps in the order of the table, {COLUMNS} in a row.")
        return lines
