"""`python -m geoutils` is the command `geoutils`."""

import sys

from geoutils.cli import main

sys.exit(main())
