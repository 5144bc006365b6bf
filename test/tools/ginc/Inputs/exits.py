# ===- exits.py - run a command and check its exit status -----------------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# ===----------------------------------------------------------------------=== #
"""usage: exits.py STATUS COMMAND...

Prints what the command writes on either stream. Fails unless its exit status is
STATUS; a signal is never what is wanted.
"""

import subprocess
import sys

wanted = int(sys.argv[1])
done = subprocess.run(sys.argv[2:], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
sys.stdout.buffer.write(done.stdout)
if done.returncode != wanted:
    sys.exit(f"exits.py: exit status {done.returncode}, not {wanted}")
