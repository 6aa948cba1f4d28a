# SPDX-FileCopyrightText: 2026 The Prehend authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""`demo`: the demo hand takes a mug by its handle and a bottle, as keyframes, in four files each."""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from typing import Any

from launcher.environments import CHECKOUT
from launcher.output import add_overwrite, check_folder, check_new, quiet, staged

from commands import grasp
from commands.grasp import digest, make_grasp, outputs

HELP = "have the demo hand take a mug and a bottle and write a .blend, an .fbx, a .png and a .json of each"

PROPS = ("mug", "bottle")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Where the files go and how good the pictures are."""
    parser.add_argument(
        "--out", type=Path, default=CHECKOUT / "out" / "demo", help="folder to write (default: out/demo)"
    )
    parser.add_argument("--samples", type=int, default=24, help="quality of the pictures (default: 24)")
    parser.add_argument("--width", type=int, default=800, help="width of the pictures in pixels (default: 800)")
    add_overwrite(parser, "files that are not the demo's own, or were changed since,")


def check(options: argparse.Namespace) -> None:
    """See that the folder can be written, and that no file of somebody else's is in the way."""
    check_folder(options.out)
    check_new(_foreign(options.out), overwrite=options.overwrite)


def run(options: argparse.Namespace) -> None:
    """Find, key, save, export and render both grasps; the files appear together at the end."""
    started = time.monotonic()
    found: dict[str, dict[str, Any]] = {}
    old = [path for prop in PROPS for path in outputs(options.out, prop) if path.exists()]
    if old:
        print(f"Replacing {len(old)} files in {options.out}", flush=True)
    with staged(options.out, overwrite=True) as stage:
        for prop in PROPS:
            began = time.monotonic()
            print(f"Taking the {prop} ...", end=" ", flush=True)
            with quiet():
                found[prop] = make_grasp(stage, _grasp_options(prop, options), name=prop)
            print(f"{time.monotonic() - began:.1f} s", flush=True)
    print(f"\n{'file':<14} {'kB':>8}  in {options.out}")
    for path in sorted(each for prop in PROPS for each in options.out.glob(f"{prop}.*")):
        print(f"{path.name:<14} {path.stat().st_size / 1024:>8.0f}")
    print(f"\n{'prop':<8} {'movement':<18} {'bones that touch':>16} {'deepest mm':>11} {'search s':>9}")
    for prop, facts in found.items():
        seconds = sum(facts["search"]["seconds"].values())
        print(
            f"{prop:<8} {facts['movement']:<18} {len(facts['contacts']):>16} "
            f"{facts['penetration']['max_mm']:>11.2f} {seconds:>9.2f}"
        )
    blender = next(iter(found.values()))["versions"]["blender"]
    print(f"\n{time.monotonic() - started:.1f} s in Blender {blender}")


def _foreign(folder: Path) -> list[Path]:
    """Files in the demo's way that no demo wrote, or that were changed since."""
    found: list[Path] = []
    for prop in PROPS:
        *others, record = sorted(outputs(folder, prop), key=lambda path: path.suffix == ".json")
        try:
            known = dict(json.loads(record.read_text(encoding="utf-8"))["files"])
        except (OSError, ValueError, TypeError, KeyError):
            known = {}
        if not known:
            found += [path for path in (*others, record) if path.exists()]
            continue
        found += [path for path in others if path.exists() and known.get(path.name) != digest(path)]
    return found


def _grasp_options(prop: str, options: argparse.Namespace) -> argparse.Namespace:
    """What `grasp` does unless told otherwise."""
    parser = argparse.ArgumentParser()
    grasp.add_arguments(parser)
    picture = ["--samples", str(options.samples), "--width", str(options.width)]
    return parser.parse_args(["--hand", "demo", "--object", f"demo:{prop}", "--out", str(options.out), *picture])
