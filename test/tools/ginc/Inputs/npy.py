# ===- npy.py - write and compare .npy files ------------------------------=== #
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# ===----------------------------------------------------------------------=== #
"""usage: npy.py write FILE EXPRESSION | npy.py equal FILE EXPRESSION
       npy.py bytes FILE EXPRESSION | npy.py print FILE

EXPRESSION is Python, with NumPy as np and its functions.
"""

import sys

import numpy as np

action, file = sys.argv[1:3]
value = eval(sys.argv[3], {**vars(np), "np": np}) if len(sys.argv) > 3 else None
if action == "write":
    np.save(file, value)
elif action == "bytes":
    with open(file, "wb") as stream:
        stream.write(value)
elif action == "print":
    array = np.load(file)
    print(array.dtype, array.shape, array.tolist())
else:
    array = np.load(file)
    value = np.asarray(value)
    if array.dtype != value.dtype or array.shape != value.shape or not (array == value).all():
        sys.exit(f"{file} holds {array!r}, not {value!r}")
