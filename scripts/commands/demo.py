"""x"""

HELP = "demo"


def add_arguments(p):
    from pathlib import Path

    p.add_argument("--out", type=Path, default=Path("out/demo"))


def check(o):
    from launcher.output import check_folder

    check_folder(o.out)


def run(o):
    return 0
